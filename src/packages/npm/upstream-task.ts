import { readFileSync } from 'node:fs';
import { escapeAll, escapeSegment } from '../protocol/escape.ts';
import { objectOf, textOf } from '../protocol/values.ts';
import { linkLine } from '../upstreams/link-line.ts';

/** A packument of an upstream, in a file. */
export interface PackumentTask {
  readonly file: string;
  readonly name: string;
  /** The URL of this registry. */
  readonly url: string;
}

/**
 * Rewrites the links of a packument to this registry's, and leaves out versions without a tarball or a digest.
 * @returns undefined if it is not a packument of this name
 */
export function run({ file, name, url }: PackumentTask): { content: Uint8Array; links: Uint8Array } | undefined {
  const document = objectOf(JSON.parse(readFileSync(file, 'utf8')));
  if (document.name !== name) return undefined;
  const versions: Record<string, unknown> = Object.create(null);
  const links: string[] = [];
  for (const [version, value] of Object.entries(objectOf(document.versions))) {
    const manifest = objectOf(value);
    const dist = objectOf(manifest.dist);
    const tarball = textOf(dist.tarball);
    const digests = digestsOf(dist);
    if (!/^https?:\/\//i.test(tarball) || !URL.canParse(tarball) || Object.keys(digests).length === 0) continue;
    const fileName = fileNameOf(tarball) ?? `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
    links.push(linkLine({ file: fileName, url: tarball, digests }));
    const link = `${url}/${escapeAll(name)}/-/${escapeSegment(version)}/${escapeSegment(fileName)}`;
    versions[version] = { ...manifest, dist: { ...dist, tarball: link } };
  }
  return { content: Buffer.from(JSON.stringify({ ...document, versions })), links: Buffer.from(links.join('\n')) };
}

/** By subresource integrity (https://www.w3.org/TR/SRI/), and by the SHA-1 that the oldest packages have alone. */
function digestsOf(dist: Readonly<Record<string, unknown>>): { sha512?: string; sha1?: string } {
  const [, base64] = /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)(?:$|[\s?])/.exec(textOf(dist.integrity)) ?? [];
  const shasum = textOf(dist.shasum).toLowerCase();
  return {
    ...(base64 !== undefined && { sha512: Buffer.from(base64, 'base64').toString('hex') }),
    ...(/^[0-9a-f]{40}$/.test(shasum) && { sha1: shasum }),
  };
}

/** The name that lockfiles have for a tarball. */
function fileNameOf(tarball: string): string | undefined {
  const last = new URL(tarball).pathname.split('/').at(-1) ?? '';
  return /^\w[\w.+~-]{0,213}\.tgz$/.test(last) ? last : undefined;
}
