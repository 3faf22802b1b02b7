import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/client.ts';
import { ADMIN } from './cluster.ts';
import type { Member } from './member.ts';

/** The administrator at one process, past the proxy. */
export function rootAt(member: Member): Client {
  return new Client(() => member.url, ADMIN);
}

/** One of several, at random. */
export function oneOf<T>(values: readonly T[]): T {
  const value = values[randomInt(values.length)];
  if (value === undefined) throw new RangeError('there is none');
  return value;
}

/** Two different ones of several, at random. */
export function twoOf<T>(values: readonly T[]): [T, T] {
  const first = oneOf(values);
  return [first, oneOf(values.filter((value) => value !== first))];
}

/** How often each thing came about. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  get(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** In the order of their names, as `name: 3, other: 4`. */
  toString(): string {
    return [...this.#counts]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ');
  }
}

/** Repeats work until the time is over: each of them again as soon as it has ended, and at most so often in a second. */
export async function repeatFor(seconds: number, works: readonly ((round: number) => Promise<void>)[], perSecond = 10): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  const repeat = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; performance.now() < end; round++) {
      const next = performance.now() + 1000 / perSecond;
      await work(round);
      await sleep(Math.max(0, next - performance.now()));
    }
  };
  await Promise.all(works.map(repeat));
}
