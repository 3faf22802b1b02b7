import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import { wireTime } from '../../http/schema.ts';
import type { IndexFile } from '../indexes/build.ts';
import { escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import type { FoundFile } from '../registry/find.ts';
import { eachFragment } from '../registry/fragments.ts';
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
  return [
    { name: SIMPLE.html, compositeKey: url, content: Readable.from(htmlOf(context.db, row, url), { objectMode: false }) },
    { name: SIMPLE.json, compositeKey: url, content: Readable.from(jsonOf(context.db, row, url), { objectMode: false }) },
  ];
}

type Described = DescribedVersion<PypiMetadata>;

/** PEP 503. */
async function* htmlOf(db: Db, { id, name }: PackageRow, url: string): AsyncGenerator<string> {
  const make = (version: Described) => version.files.map((file) => linkTo(url, version, file)).join('');
  const [start, end] = pageAround(name);
  yield start;
  for await (const batch of eachFragment(db, id, { variant: `html ${url}`, make })) yield batch.map(({ content }) => content).join('');
  yield end;
}

function linkTo(url: string, version: DescribedVersion<PypiMetadata>, found: FoundFile): string {
  const href = `${fileUrl(url, version, found)}#sha256=${found.blob.sha256}`;
  return anchor(href, found.file.name, { 'data-requires-python': version.metadata.requiresPython || undefined });
}

/** PEP 691 and 700. */
async function* jsonOf(db: Db, { id, name }: PackageRow, url: string): AsyncGenerator<string> {
  const make = (version: Described) => version.files.map((found) => JSON.stringify(fileOf(url, version, found))).join(',');
  yield `{"meta":{"api-version":"1.1"},"name":${JSON.stringify(name.toLowerCase())},"files":[`;
  const versions: string[] = [];
  let separator = '';
  for await (const batch of eachFragment(db, id, { variant: `json ${url}`, make })) {
    versions.push(...batch.map(({ version }) => version));
    // A version can be without files.
    const files = batch.flatMap(({ content }) => (content === '' ? [] : [content])).join(',');
    if (files === '') continue;
    yield separator + files;
    separator = ',';
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
