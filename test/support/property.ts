import * as fc from 'fast-check';
import { SEED } from './random.ts';

/** Milliseconds after which a property has been tried often enough, however few its tries were. */
const TIME_LIMIT_MS = 1000;

/** Fails unless a property holds for values that the seed of this run makes up; the message has the seed and the smallest values. */
export function holds<T>(property: fc.IProperty<T>, tries = 500): void {
  fc.assert(property, { seed: SEED, numRuns: tries, interruptAfterTimeLimit: TIME_LIMIT_MS });
}

/** {@link holds} for a property that takes time. */
export async function holdsAsync<T>(property: fc.IAsyncProperty<T>, tries = 500): Promise<void> {
  await fc.assert(property, { seed: SEED, numRuns: tries, interruptAfterTimeLimit: TIME_LIMIT_MS });
}

/** Texts of these pieces: the words and signs of a grammar, and some that it does not know. */
export function textOf(pieces: readonly string[], maxLength = 8): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''));
}

/** Well-formed texts of any characters. */
export const anyText = fc.string({ unit: 'grapheme-composite', maxLength: 40 });
