import { readFileSync } from 'node:fs';
import { objectOf, textOf } from '../protocol/values.ts';
import { linkLine } from '../upstreams/link-line.ts';
import { parseVersion } from '../versions/loose.ts';

/** The file of a crate in the index of an upstream. */
export interface IndexTask {
  readonly file: string;
  readonly name: string;
  /** The template of the URLs of crates: `dl` of its `config.json`. */
  readonly download: string;
}

/**
 * Reads the lines of an index that are versions of this crate, and where their files are.
 * @throws SyntaxError for a line that is not JSON
 */
export function run({ file, name, download }: IndexTask): { content: Uint8Array; links: Uint8Array } {
  const lines: string[] = [];
  const links: string[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const entry = objectOf(JSON.parse(line));
    const [crate, version, sha256] = [textOf(entry.name), textOf(entry.vers), textOf(entry.cksum).toLowerCase()];
    if (crate.toLowerCase() !== name || !parseVersion(version) || !/^[0-9a-f]{64}$/.test(sha256)) continue;
    lines.push(`${line.trim()}\n`);
    const url = downloadUrl(download, crate, version, sha256);
    links.push(linkLine({ file: `${name}-${version}.crate`, url, digests: { sha256 } }));
  }
  return { content: Buffer.from(lines.join('')), links: Buffer.from(links.join('\n')) };
}

/** https://doc.rust-lang.org/cargo/reference/registry-index.html#index-configuration */
function downloadUrl(template: string, crate: string, version: string, sha256: string): string {
  const values: Readonly<Record<string, string>> = {
    crate,
    version: encodeURIComponent(version),
    prefix: prefixOf(crate),
    lowerprefix: prefixOf(crate.toLowerCase()),
    'sha256-checksum': sha256,
  };
  if (!Object.keys(values).some((marker) => template.includes(`{${marker}}`))) {
    return `${template}/${crate}/${encodeURIComponent(version)}/download`;
  }
  return template.replace(/\{([a-z0-9-]+)\}/g, (marker, name: string) => values[name] ?? marker);
}

/** The folders of a crate in an index. */
export function prefixOf(name: string): string {
  if (name.length <= 2) return String(name.length);
  return name.length === 3 ? `3/${name.charAt(0)}` : `${name.slice(0, 2)}/${name.slice(2, 4)}`;
}
