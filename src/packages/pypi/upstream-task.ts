import { readFileSync } from 'node:fs';
import { escapeSegment } from '../protocol/escape.ts';
import { objectOf, textOf, textsOf } from '../protocol/values.ts';
import { linkLine } from '../upstreams/link-line.ts';
import { nameKey } from '../upstreams/names.ts';
import { anchor, htmlPage } from './html.ts';

/** The list of a project of an upstream, in a file. */
export interface SimpleTask {
  readonly file: string;
  /** Of `nameKey`. */
  readonly name: string;
  /** Where the list was: links in it may be relative. */
  readonly source: string;
  /** The URL of this registry. */
  readonly url: string;
  readonly form: 'json' | 'html';
}

/**
 * Creates a list of a project's files with links to this registry; files without a SHA-256 are left out.
 * @returns undefined if it is not a list of this project (PEP 691)
 */
export function run({ file, name, source, url, form }: SimpleTask): { content: Uint8Array; links: Uint8Array } | undefined {
  const document = objectOf(JSON.parse(readFileSync(file, 'utf8')));
  const isList = textOf(objectOf(document.meta)['api-version']).startsWith('1.') && Array.isArray(document.files);
  if (!isList || nameKey('pypi', textOf(document.name)) !== name) return undefined;
  const files: ListedFile[] = [];
  const links: string[] = [];
  for (const value of document.files as unknown[]) {
    const entry = objectOf(value);
    const filename = textOf(entry.filename);
    const sha256 = digestOf(entry.hashes);
    const target = URL.parse(textOf(entry.url), source);
    if (!/^\w[\w.+!~-]{0,250}$/.test(filename) || sha256 === undefined || !target || !/^https?:$/.test(target.protocol)) continue;
    links.push(linkLine({ file: filename, url: target.href, digests: { sha256 } }));
    // PEP 658 and 714: metadata for installers that do not want the whole file.
    const metadata = digestOf(entry['core-metadata'] ?? entry['dist-info-metadata']);
    if (metadata !== undefined) {
      const beside = new URL(target);
      beside.pathname += '.metadata';
      links.push(linkLine({ file: `${filename}.metadata`, url: beside.href, digests: { sha256: metadata } }));
    }
    files.push({
      filename,
      url: `${url}/files/${escapeSegment(name)}/-/${escapeSegment(filename)}`,
      hashes: { sha256 },
      'requires-python': textOf(entry['requires-python']) || undefined,
      'core-metadata': metadata === undefined ? undefined : { sha256: metadata },
      yanked: typeof entry.yanked === 'string' ? entry.yanked : entry.yanked === true || undefined,
      size: Number.isSafeInteger(entry.size) ? Number(entry.size) : undefined,
      'upload-time': textOf(entry['upload-time']) || undefined,
    });
  }
  const versions = Array.isArray(document.versions) ? textsOf(document.versions) : undefined;
  const list = { meta: { 'api-version': '1.1' }, name, files, versions };
  const content = form === 'json' ? JSON.stringify(list) : htmlPage(name, files.map(linkTo));
  return { content: Buffer.from(content), links: Buffer.from(links.join('\n')) };
}

interface ListedFile {
  readonly filename: string;
  readonly url: string;
  readonly hashes: { readonly sha256: string };
  readonly 'requires-python': string | undefined;
  readonly 'core-metadata': { readonly sha256: string } | undefined;
  readonly yanked: string | true | undefined;
  readonly size: number | undefined;
  readonly 'upload-time': string | undefined;
}

function linkTo(file: ListedFile): string {
  const metadata = file['core-metadata'];
  return anchor(`${file.url}#sha256=${file.hashes.sha256}`, file.filename, {
    'data-requires-python': file['requires-python'],
    'data-core-metadata': metadata && `sha256=${metadata.sha256}`,
    'data-yanked': file.yanked === true ? '' : file.yanked,
  });
}

function digestOf(hashes: unknown): string | undefined {
  const sha256 = textOf(objectOf(hashes).sha256).toLowerCase();
  return /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined;
}
