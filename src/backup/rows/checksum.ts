import { hash } from 'node:crypto';
import type { Row } from './shape.ts';

const BITS = 128n;
const MASK = (1n << BITS) - 1n;

/** One row as a line, without its end. */
export function lineOf(row: Row): string {
  return JSON.stringify(row);
}

/**
 * How many rows there are, and a checksum of them that does not depend on their order: the sum of the SHA-256 of each, cut to 128 bits.
 * Databases return rows in any order, and sorting them all would cost more than reading them.
 */
export class RowChecksum {
  rows = 0;
  #sum = 0n;

  /** @param line see {@link lineOf} */
  add(line: string): void {
    this.rows++;
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', line).slice(0, 32)}`)) & MASK;
  }

  /** 32 hexadecimal digits. */
  get digest(): string {
    return this.#sum.toString(16).padStart(32, '0');
  }
}
