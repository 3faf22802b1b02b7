/** The seed of this run's random tests: `COPSE_TEST_SEED`, which `npm test` prints and takes. */
export const SEED = Number(process.env.COPSE_TEST_SEED ?? 1);

/** A roll of a die with so many sides: a whole number from 0 on. */
export type Dice = (sides: number) => number;

/** Rolls that are the same for the same seed (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 0x7fffffff) % sides;
  };
}
