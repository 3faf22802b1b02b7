import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, zstdCompress } from 'node:zlib';

/** A file that pages load. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its bytes in an encoding (RFC 9110, 8.4.1), created when first needed and cached. */
  encoded(encoding: 'br' | 'zstd'): Promise<Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let loaded: { readonly hash: string; readonly assets: ReadonlyMap<string, Asset> } | undefined;

/** The path of an asset from the root. It contains the hash of all assets: the content at such a path never changes. */
export function assetPath(name: string): string {
  return `assets/${load().hash}/${name}`;
}

/** An asset by name; undefined if it is missing, or if the hash is that of another version. */
export function findAsset(hash: string, name: string): Asset | undefined {
  const { hash: current, assets } = load();
  return hash === current ? assets.get(name) : undefined;
}

/** Scripts import each other by relative paths, so all assets share one hash. */
function load(): NonNullable<typeof loaded> {
  if (loaded) return loaded;
  const folder = import.meta.dirname;
  const files = (name: string) =>
    readdirSync(join(folder, name))
      .sort()
      .map((file) => join(name, file));
  const read = (file: string) => readFileSync(join(folder, file));
  const style = Buffer.concat(files('styles').map(read));
  const contents = new Map([
    ['style.css', style],
    ['icons.svg', read('icons.svg')],
    ...files('scripts').map((file) => [file.replace(/^scripts./, ''), read(file)] as const),
  ]);
  const hash = createHash('sha256');
  for (const [name, bytes] of contents) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  const assets = new Map([...contents].map(([name, bytes]) => [name, assetOf(name, bytes)]));
  loaded = { hash: hash.digest('hex').slice(0, 16), assets };
  return loaded;
}

/** A file with these bytes. @param ending the extension, which determines its type */
export function assetOf(name: string, bytes: Buffer, ending = extname(name)): Asset {
  const made = new Map<string, Promise<Buffer>>();
  return {
    type: TYPES[ending] ?? 'application/octet-stream',
    bytes,
    encoded: (encoding) => {
      const known = made.get(encoding) ?? compress(encoding, bytes);
      made.set(encoding, known);
      return known;
    },
  };
}

function compress(encoding: 'br' | 'zstd', bytes: Buffer): Promise<Buffer> {
  if (encoding === 'br') return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  return promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
}
