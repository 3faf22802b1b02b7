import { crc32 } from 'node:zlib';
import { NoPictureError, type Picture } from './picture.ts';

/** How a PNG begins (PNG specification, 5.2). */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** What shows the picture; the rest (texts, times, positions, animation, profiles) is left out. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB']);

/** Reads a PNG chunk by chunk, checks each and keeps those that show the picture. */
export function readPng(bytes: Buffer): Picture {
  const kept: Buffer[] = [PNG_SIGNATURE];
  let at = PNG_SIGNATURE.length;
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  for (;;) {
    if (at + 12 > bytes.length) throw new NoPictureError();
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw new NoPictureError();
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) throw new NoPictureError();
    if ((type === 'IHDR') !== (size === undefined)) throw new NoPictureError();
    if (type === 'IHDR') {
      if (length !== 13) throw new NoPictureError();
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasData = true;
    if (KEPT.has(type)) kept.push(bytes.subarray(at, end));
    at = end;
    if (type === 'IEND') break;
  }
  if (!size || !hasData) throw new NoPictureError();
  return { type: 'png', ...size, content: Buffer.concat(kept) };
}

/** A chunk with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
