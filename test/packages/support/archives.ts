import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { storeXz } from '../../../src/packages/archives/xz.ts';

/** Files of an archive, by their paths. */
export type ArchivedFiles = Readonly<Record<string, string | Buffer>>;

/** A tar archive. */
export async function tar(files: ArchivedFiles): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return Buffer.concat((await Array.fromAsync(archive)) as Buffer[]);
}

/** Bytes in the container of xz. */
export async function xz(bytes: Buffer): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(storeXz(Readable.from([bytes]), bytes.length)));
}

/** A zip archive without compression. */
export function zip(files: ArchivedFiles, { isDeflated = false } = {}): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, plain] = [Buffer.from(path), Buffer.from(content)];
    const data = isDeflated ? deflateRawSync(plain) : plain;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, data);
    central.push(entry, name);
    offset += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(central.length / 2, 8);
  end.writeUInt16LE(central.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** An archive of `ar`, as Debian packages are. */
export function ar(files: ArchivedFiles): Buffer {
  const members = Object.entries(files).flatMap(([name, content]) => {
    const data = Buffer.from(content);
    const size = String(data.length).padEnd(10);
    const header = `${name.padEnd(16)}${'1700000000'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${size}\`\n`;
    return [Buffer.from(header), data, Buffer.from(data.length % 2 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...members]);
}
