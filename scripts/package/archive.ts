import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Entry } from './entry.ts';

/** Where the header of gzip names the system that it was made on (RFC 1952, 2.3), and the value for none. */
const GZIP_SYSTEM = { offset: 9, unknown: 255 } as const;

/**
 * A gzipped tar whose bytes depend on nothing but the entries: they are sorted, owned by root, and all of the same time.
 * @param folder what the archive unpacks to
 */
export async function archive(folder: string, entries: readonly Entry[], mtime: Date): Promise<Buffer> {
  const tar = pack();
  const chunks = Array.fromAsync(tar as AsyncIterable<Buffer>);
  const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime };
  for (const { path, content, isExecutable, link } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const header = { ...owner, name: `${folder}/${path}`, mode: isExecutable ? 0o755 : 0o644 };
    if (link === undefined) tar.entry(header, Buffer.from(content.buffer, content.byteOffset, content.byteLength));
    else tar.entry({ ...header, mode: 0o777, type: 'symlink', linkname: link });
  }
  tar.finalize();
  const packed = await promisify(gzip)(Buffer.concat(await chunks), { level: 9 });
  packed[GZIP_SYSTEM.offset] = GZIP_SYSTEM.unknown;
  return packed;
}
