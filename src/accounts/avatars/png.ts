import { crc32 } from 'node:zlib';

/** The signature of a PNG (PNG specification, 5.2). */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A chunk with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
