import { NoPictureError, type Picture } from './picture.ts';

/** What shows the picture (WebP container specification); the profile, Exif and XMP are left out. */
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
/** The flags of VP8X for what is left out: ICC, Exif, XMP. */
const DROPPED_FLAGS = 0x20 | 0x08 | 0x04;

/** Reads a WebP chunk by chunk and keeps those that show the picture. */
export function readWebp(bytes: Buffer): Picture {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length || end < 20) throw new NoPictureError();
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  for (let at = 12; at < end; ) {
    if (at + 8 > end) throw new NoPictureError();
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (next > end) throw new NoPictureError();
    const data = bytes.subarray(at + 8, at + 8 + length);
    size ??= readSize(type, data);
    if (KEPT.has(type)) kept.push(type === 'VP8X' ? withoutFlags(bytes.subarray(at, next)) : bytes.subarray(at, next));
    at = next;
  }
  if (!size) throw new NoPictureError();
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return { type: 'webp', ...size, content: Buffer.concat([head, body]) };
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  copy.writeUInt8(copy.readUInt8(8) & ~DROPPED_FLAGS, 8);
  return copy;
}

/** The size that the first chunk tells: of the canvas, or of the only frame. */
function readSize(type: string, data: Buffer): { width: number; height: number } {
  if (type === 'VP8X' && data.length >= 10) return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (type === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  throw new NoPictureError();
}
