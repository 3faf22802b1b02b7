/** The reversed polynomial of CRC-32. */
const POLYNOMIAL = 0xedb88320;

/** The effect of `2^n` zero bytes on a checksum, for each n: a matrix; each number is a column. */
const byPower: Uint32Array[] = [zeroByte()];

/** The CRC-32 of concatenated bytes, from the checksums of both parts and the length of the second. */
export function combineCrc32(first: number, second: number, length: number): number {
  let crc = first;
  for (let power = 0, rest = length; rest > 0; power++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) crc = apply(matrixOf(power), crc);
  }
  return (crc ^ second) >>> 0;
}

function matrixOf(power: number): Uint32Array {
  const known = byPower[power];
  if (known) return known;
  const half = matrixOf(power - 1);
  const made = half.map((column) => apply(half, column));
  byPower[power] = made;
  return made;
}

function zeroByte(): Uint32Array {
  return Uint32Array.from({ length: 32 }, (_, bit) => {
    let crc = 2 ** bit;
    for (let step = 0; step < 8; step++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
}

function apply(matrix: Uint32Array, vector: number): number {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) if ((vector >>> bit) & 1) result ^= matrix[bit] ?? 0;
  return result >>> 0;
}
