import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { wireTime } from '../../http/schema.ts';
import type { IndexFile } from '../indexes/build.ts';
import { escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, eachVersion, findPublished } from '../registry/describe.ts';
import type { FoundFile } from '../registry/find.ts';
import { anchor, pageAround } from './html.ts';
import type { PypiMetadata } from './upload.ts';

/** The names of the files that list a project. */
export const SIMPLE = { html: 'simple.html', json: 'simple.json' } as const;

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/pypi`;
}

/** Builds the lists of a project's files. The composite key is the URL that is in their links. */
export async function buildSimple(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(context.db, { ownerId: owner.id, type: 'pypi', name });
  if (!row) return [];
  const url = registryUrl(context, owner);
  const versions = () => eachVersion<PypiMetadata>(context.db, row.id);
  return [
    { name: SIMPLE.html, compositeKey: url, content: Readable.from(htmlOf(row.name, url, versions()), { objectMode: false }) },
    { name: SIMPLE.json, compositeKey: url, content: Readable.from(jsonOf(row.name, url, versions()), { objectMode: false }) },
  ];
}

type Batches = AsyncIterable<readonly DescribedVersion<PypiMetadata>[]>;

/** PEP 503. */
async function* htmlOf(name: string, url: string, batches: Batches): AsyncGenerator<string> {
  const [start, end] = pageAround(name);
  yield start;
  for await (const batch of batches) yield batch.flatMap((version) => version.files.map((file) => linkTo(url, version, file))).join('');
  yield end;
}

function linkTo(url: string, version: DescribedVersion<PypiMetadata>, found: FoundFile): string {
  const href = `${fileUrl(url, version, found)}#sha256=${found.blob.sha256}`;
  return anchor(href, found.file.name, { 'data-requires-python': version.metadata.requiresPython || undefined });
}

/** PEP 691 and 700. */
async function* jsonOf(name: string, url: string, batches: Batches): AsyncGenerator<string> {
  yield `{"meta":{"api-version":"1.1"},"name":${JSON.stringify(name.toLowerCase())},"files":[`;
  const versions: string[] = [];
  let separator = '';
  for await (const batch of batches) {
    for (const version of batch) {
      versions.push(version.version.version);
      for (const found of version.files) {
        yield separator + JSON.stringify(fileOf(url, version, found));
        separator = ',';
      }
    }
  }
  yield `],"versions":${JSON.stringify(versions)}}`;
}

function fileOf(url: string, version: DescribedVersion<PypiMetadata>, found: FoundFile) {
  const { file, blob } = found;
  return {
    filename: file.name,
    url: fileUrl(url, version, found),
    hashes: { sha256: blob.sha256 },
    'requires-python': version.metadata.requiresPython,
    size: blob.size,
    'upload-time': wireTime(file.created_at),
  };
}

function fileUrl(url: string, { package: row, version }: DescribedVersion<PypiMetadata>, { file }: FoundFile): string {
  return `${url}/files/${escapeSegment(row.lower_name)}/${escapeSegment(version.version)}/${escapeSegment(file.name)}`;
}
