/** QR codes (ISO/IEC 18004) of texts as bytes, with the lowest level of error correction, L, as screens show no dirt. */

/** Bytes of error correction in each block, by version from 1. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
/** Blocks, by version from 1. */
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const BYTE_MODE = 0b0100;
/** The first version whose length field has 16 bits. */
const LONG_LENGTHS = 10;
/** The level L in the format bits. */
const LEVEL_L = 0b01;
const FORMAT_DIVISOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_DIVISOR = 0x1f25;
/** x^8 + x^4 + x^3 + x^2 + 1, the field of the Reed-Solomon code. */
const FIELD = 0x11d;
/** One of the eight masks: cells whose row and column have an odd sum stay as they are. Readers accept any. */
const MASK = 0b000;

/** The cells of a code, row by row; dark ones are true. */
export type QrCode = readonly (readonly boolean[])[];

/** The smallest code of a text; undefined if the text is longer than 858 bytes. */
export function qrCode(text: string): QrCode | undefined {
  const bytes = Buffer.from(text);
  const version = CORRECTION.findIndex((_, index) => bytes.length <= capacity(index + 1)) + 1;
  if (version === 0) return undefined;
  const grid = new Grid(version);
  grid.write(interleaved(version, encoded(version, bytes)));
  return grid.cells;
}

function capacity(version: number): number {
  return dataBytes(version) - (version < LONG_LENGTHS ? 2 : 3);
}

function dataBytes(version: number): number {
  return allBytes(version) - (CORRECTION[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
}

/** The bytes that fit beside the patterns of a version. */
function allBytes(version: number): number {
  const aligned = alignments(version).length;
  let bits = (16 * version + 128) * version + 64;
  if (version > 1) bits -= (25 * aligned - 10) * aligned - 55;
  if (version > 6) bits -= 36;
  return bits >> 3;
}

/** The centres of the alignment patterns, in both directions. */
function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Mode, length and bytes, filled up to the size of the version. */
function encoded(version: number, bytes: Buffer): Buffer {
  const length = bytes.length.toString(2).padStart(version < LONG_LENGTHS ? 8 : 16, '0');
  const bits = `${BYTE_MODE.toString(2).padStart(4, '0')}${length}${[...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')}0000`;
  const size = dataBytes(version);
  const data = Buffer.alloc(size);
  for (let index = 0; index < size; index++) {
    const octet = bits.slice(index * 8, index * 8 + 8);
    const used = Math.ceil(bits.length / 8);
    data[index] = octet === '' ? ((index - used) % 2 === 0 ? 0xec : 0x11) : Number.parseInt(octet.padEnd(8, '0'), 2);
  }
  return data;
}

/** The data and its error correction, in blocks that take turns. */
function interleaved(version: number, data: Buffer): number[] {
  const [count = 1, correction = 0] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const short = Math.floor(data.length / count);
  const firstLong = count - (data.length % count);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const block = data.subarray(start, start + short + (index < firstLong ? 0 : 1));
    start += block.length;
    return { block, check: remainder(block, correction) };
  });
  const turns = (length: number, at: (block: (typeof blocks)[number], index: number) => number | undefined) =>
    Array.from({ length }, (_, index) => blocks.map((block) => at(block, index))).flat();
  return [...turns(short + 1, ({ block }, index) => block[index]), ...turns(correction, ({ check }, index) => check[index])].filter(
    (byte) => byte !== undefined,
  );
}

/** The Reed-Solomon code of a block. */
function remainder(block: Buffer, degree: number): number[] {
  const divisor = generator(degree);
  const rest = new Array<number>(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, coefficient] of divisor.entries()) rest[index] = (rest[index] ?? 0) ^ multiplied(coefficient, factor);
  }
  return rest;
}

/** The product of (x - 2^i) for each i below the degree, without its first coefficient, which is 1. */
function generator(degree: number): number[] {
  const product = new Array<number>(degree).fill(0);
  product[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++) product[index] = multiplied(product[index] ?? 0, root) ^ (product[index + 1] ?? 0);
    root = multiplied(root, 2);
  }
  return product;
}

function multiplied(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * FIELD);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The cells with their patterns. */
class Grid {
  readonly cells: boolean[][];
  readonly #reserved: boolean[][];
  readonly #size: number;

  constructor(version: number) {
    this.#size = version * 4 + 17;
    const empty = () => Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false));
    [this.cells, this.#reserved] = [empty(), empty()];
    const last = this.#size - 1;
    for (let index = 0; index < this.#size; index++) {
      this.#set(6, index, index % 2 === 0);
      this.#set(index, 6, index % 2 === 0);
    }
    // A finder is a ring around a square, with a light margin.
    for (const [row, column] of [
      [3, 3],
      [3, last - 3],
      [last - 3, 3],
    ] as const)
      this.#rings(row, column, 4, (ring) => ring !== 2 && ring !== 4);
    const centres = alignments(version);
    for (const row of centres)
      for (const column of centres) {
        const isFinder = (row === 6 && column === 6) || (row === 6 && column === last - 6) || (row === last - 6 && column === 6);
        if (!isFinder) this.#rings(row, column, 2, (ring) => ring !== 1);
      }
    this.#format();
    if (version > 6) this.#version(version);
  }

  /** Fills the free cells with the bits of bytes: pairs of columns from the right, upwards and downwards in turns. */
  write(bytes: readonly number[]): void {
    let bit = 0;
    for (let right = this.#size - 1; right > 0; right -= 2) {
      // The column of the timing pattern belongs to no pair.
      if (right === 6) right = 5;
      const isUpward = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.#size; step++) {
        const row = isUpward ? this.#size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.#reserved[row]?.[column]) continue;
          const isDark = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
          bit++;
          this.#set(row, column, isDark !== ((row + column) % 2 === 0));
        }
      }
    }
  }

  /** Sets a cell of a pattern; those outside of the code are left out. */
  #set(row: number, column: number, isDark: boolean): void {
    const [cells, reserved] = [this.cells[row], this.#reserved[row]];
    if (!cells || !reserved || column < 0 || column >= this.#size) return;
    cells[column] = isDark;
    reserved[column] = true;
  }

  #rings(row: number, column: number, radius: number, isDark: (ring: number) => boolean): void {
    for (let y = -radius; y <= radius; y++)
      for (let x = -radius; x <= radius; x++) this.#set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))));
  }

  /** Level and mask, twice, beside the finders. */
  #format(): void {
    const bits = withCheck((LEVEL_L << 3) | MASK, 10, FORMAT_DIVISOR) ^ FORMAT_MASK;
    const last = this.#size - 1;
    for (let index = 0; index < 15; index++) {
      const isDark = ((bits >> index) & 1) === 1;
      // Along the column 8, past the timing pattern, then along the row 8.
      if (index < 8) this.#set(index < 6 ? index : index + 1, 8, isDark);
      else this.#set(8, index === 8 ? 7 : 14 - index, isDark);
      if (index < 8) this.#set(8, last - index, isDark);
      else this.#set(last - 14 + index, 8, isDark);
    }
    this.#set(last - 7, 8, true);
  }

  /** The version, twice, beside two finders. */
  #version(version: number): void {
    const bits = withCheck(version, 12, VERSION_DIVISOR);
    for (let index = 0; index < 18; index++) {
      const isDark = ((bits >> index) & 1) === 1;
      const [far, near] = [this.#size - 11 + (index % 3), Math.floor(index / 3)];
      this.#set(far, near, isDark);
      this.#set(near, far, isDark);
    }
  }
}

/** A number followed by the rest of its division by a polynomial of this degree. */
function withCheck(value: number, degree: number, divisor: number): number {
  let rest = value;
  for (let step = 0; step < degree; step++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * divisor);
  return (value << degree) | rest;
}
