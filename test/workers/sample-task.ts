import { getPriority } from 'node:os';
import { getHeapSpaceStatistics } from 'node:v8';
import { ownOsThread } from '../../src/workers/os-thread.ts';

/** A task for the tests of the pool. */
export async function run({
  what,
  value = 0,
}: {
  what: 'double' | 'spin' | 'hoard' | 'throw' | 'thread' | 'wait' | 'native' | 'niceness' | 'young';
  value?: number;
}) {
  switch (what) {
    case 'double':
      return 2 * value;
    case 'spin':
      for (;;) value++;
    case 'hoard': {
      const hoard: string[] = [];
      for (;;) hoard.push(`${value}${hoard.length}`.repeat(50).split('').reverse().join(''));
    }
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, value));
      return value;
    case 'thread':
      return Object.keys(process.env).length;
    case 'niceness':
      return getPriority(ownOsThread());
    case 'young': {
      // The space for young objects grows with what of them lives on.
      const alive: number[][] = [];
      for (let at = 0; at < 2_000_000; at++) alive[at % 50_000] = [at, at, at];
      return (getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0) / 2 ** 20;
    }
    case 'native':
      return Number(/(a+)+$/.test(`${'a'.repeat(value)}b`));
    case 'throw':
      throw new RangeError('out of range');
  }
}
