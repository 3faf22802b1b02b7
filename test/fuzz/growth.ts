import assert from 'node:assert/strict';
import { createContext, Script } from 'node:vm';

/*
 * Finds inputs on which a parser takes more than linear time: texts that repeat a few atoms of the parser's own grammar, each at two
 * sizes. What grows faster than the text by far fails. `COPSE_FUZZ_ROUNDS=100 npm test -- fuzz/` tries as many further seeds.
 */

/** What is tried. */
export interface GrowthOptions {
  /** What texts are made of: the words and signs that the parser knows, and some that it does not. */
  readonly atoms: readonly string[];
  /** What stands around the repetition where that is what the parser looks for. */
  readonly before?: string;
  readonly after?: string;
  /** Characters of the smaller text; the larger one has 16 times as many. */
  readonly size?: number;
  /** Repetitions that are made up from the seed, besides those of each atom alone. */
  readonly count?: number;
  readonly seed?: number;
}

/** A text that can be made in any size. */
export interface Repetition {
  readonly name: string;
  build(size: number): string;
}

/** An input that took too much. */
export interface Growth {
  readonly name: string;
  /** Milliseconds of processor time; infinite when it was given up. */
  readonly smallMs: number;
  readonly largeMs: number;
}

const FACTOR = 16;
/** Work that is over in so many milliseconds is never too much: times as short are noise. */
const FLOOR_MS = 200;
/** How much faster than the text the time may grow: caches, garbage collection and other processes take their part. */
const TOLERANCE = 4;
/** After so many milliseconds a text is given up: exponential time has no end. */
const GIVEN_UP_MS = 10_000;
const ATTEMPTS = 3;

/** Fails unless `parse` takes about linear time for every repetition. What `parse` throws is its answer. */
export function assertLinear(parse: (text: string) => unknown, options: GrowthOptions): void {
  const found = findGrowth(parse, options);
  assert.deepEqual(found.slice(0, 5), [], 'inputs whose time grows faster than their size');
}

/** The repetitions for which `parse` takes more than about linear time. */
export function findGrowth(parse: (text: string) => unknown, options: GrowthOptions): Growth[] {
  const { before = '', after = '', size = 4096 } = options;
  const found: Growth[] = [];
  for (const { name, build } of repetitionsOf(options)) {
    const growth = measure(parse, name, (length) => before + build(length) + after, size);
    if (growth) found.push(growth);
    if (found.length >= 5) break;
  }
  return found;
}

function measure(parse: (text: string) => unknown, name: string, build: (size: number) => string, size: number): Growth | undefined {
  const [small, large] = [build(size), build(size * FACTOR)];
  let growth: Growth | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const largeMs = spent(parse, large);
    if (largeMs <= FLOOR_MS) return undefined;
    const smallMs = spent(parse, small);
    growth = { name, smallMs, largeMs };
    if (largeMs <= FACTOR * TOLERANCE * smallMs) return undefined;
    // Beyond all doubt, and slow to try again.
    if (largeMs > 2 * FACTOR * TOLERANCE * smallMs && largeMs > 5 * FLOOR_MS) break;
  }
  return growth;
}

const SANDBOX: { call: () => unknown } = { call: () => undefined };
const CONTEXT = createContext(SANDBOX);
const CALL = new Script('call()');

/** Milliseconds of processor time. Only a context of its own lets a regular expression be interrupted. */
function spent(parse: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  try {
    SANDBOX.call = () => parse(text);
    CALL.runInContext(CONTEXT, { timeout: GIVEN_UP_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Number.POSITIVE_INFINITY;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Each atom again and again, then what the seed makes up: prefixes, units of some atoms, suffixes, nestings. */
export function repetitionsOf({ atoms, count = 60, seed = 1 }: GrowthOptions): Repetition[] {
  const rounds = 1 + Number(process.env.COPSE_FUZZ_ROUNDS ?? 0);
  const random = randomFrom(seed);
  const pick = () => atoms[Math.floor(random() * atoms.length)] ?? '';
  const some = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, pick).join('');
  const made = atoms.map((atom) => repetition('', atom, ''));
  for (let i = 0; i < count * rounds; i++) {
    if (random() < 0.3) made.push(nesting(pick(), pick(), some(1)));
    else made.push(repetition(some(2), pick() + some(2), some(2)));
  }
  return made;
}

function repetition(before: string, unit: string, after: string): Repetition {
  return {
    name: `${show(before)} + ${show(unit)} × n + ${show(after)}`,
    build: (size) => before + unit.repeat(Math.ceil(size / Math.max(unit.length, 1))) + after,
  };
}

function nesting(open: string, close: string, middle: string): Repetition {
  return {
    name: `${show(open)} × n + ${show(middle)} + ${show(close)} × n`,
    build: (size) => {
      const times = Math.ceil(size / Math.max(open.length + close.length, 1));
      return open.repeat(times) + middle + close.repeat(times);
    },
  };
}

function show(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
