import { deflateSync } from 'node:zlib';
import { PNG_SIGNATURE, pngChunk } from './png.ts';

const CELLS = 5;
const CELL = 48;
const MARGIN = 20;
const SIZE = CELLS * CELL + 2 * MARGIN;

/**
 * The avatar of an account without an uploaded one: a symmetric pattern of squares in one colour; always the same for one seed.
 * @param seed at least 32 hexadecimal digits
 */
export function generatedPicture(seed: string): Buffer {
  const digest = Buffer.from(seed, 'hex');
  const isOn = (column: number, row: number) => ((digest[3 + row] ?? 0) >> Math.min(column, CELLS - 1 - column)) & 1;
  const rows: Buffer[] = [];
  for (let y = 0; y < SIZE; y++) {
    // A filter byte, then one bit for each pixel.
    const line = Buffer.alloc(1 + Math.ceil(SIZE / 8));
    const row = Math.floor((y - MARGIN) / CELL);
    for (let x = MARGIN; x < SIZE - MARGIN && row >= 0 && row < CELLS; x++) {
      if (isOn(Math.floor((x - MARGIN) / CELL), row)) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    rows.push(line);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([1, 3], 8); // one bit for each pixel, colours from a palette
  const palette = Buffer.from([0xf0, 0xf0, 0xf0, ...colour(digest)]);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('PLTE', palette),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A colour with enough contrast: hue, saturation and lightness from the seed. */
function colour(digest: Buffer): number[] {
  const hue = (((digest[0] ?? 0) << 8) | (digest[1] ?? 0)) / 65_536;
  const saturation = 0.45 + ((digest[2] ?? 0) / 255) * 0.25;
  const lightness = 0.5;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  });
}
