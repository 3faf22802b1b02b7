import { NoPictureError, type Picture } from './picture.ts';

const BLOCK = { extension: 0x21, image: 0x2c, trailer: 0x3b };
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Reads a GIF block by block (GIF89a, appendix A) and keeps the frames, their timing and whether they repeat. */
export function readGif(bytes: Buffer): Picture {
  const flags = byteAt(bytes, 10);
  let at = 13 + tableSize(flags);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  let frames = 0;
  for (;;) {
    const block = byteAt(bytes, at);
    if (block === BLOCK.trailer) break;
    const start = at;
    if (block === BLOCK.image) {
      at = endOfBlocks(bytes, at + 11 + tableSize(byteAt(bytes, at + 9)));
      frames++;
    } else if (block === BLOCK.extension) at = endOfBlocks(bytes, at + 2);
    else throw new NoPictureError();
    if (block === BLOCK.image || showsPicture(bytes, start)) kept.push(bytes.subarray(start, at));
  }
  if (frames === 0 || bytes.length < at) throw new NoPictureError();
  kept.push(Buffer.from([BLOCK.trailer]));
  return { type: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), content: Buffer.concat(kept) };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new NoPictureError();
  return byte;
}

/** Bytes of the colour table that the flags announce. */
function tableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** After the sub-blocks that begin at this place. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = byteAt(bytes, at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

function showsPicture(bytes: Buffer, at: number): boolean {
  const label = byteAt(bytes, at + 1);
  return label === GRAPHIC_CONTROL || (label === APPLICATION && bytes.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0');
}
