/**
 * The patterns of `.editorconfig` (https://spec.editorconfig.org/#glob-expressions): `*` and `?` within a name, `**` across
 * folders, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}`. A pattern becomes an automaton that is in several states at once and never backtracks,
 * so that its time is proportional to its length times that of the path. The steps that a caller grants limit it.
 */

/** Patterns need more steps than they were granted. */
export class GlobLimitError extends Error {
  override readonly name = 'GlobLimitError';
}

/** The steps that the patterns of one file may take together: some 20 ms. */
const MAX_STEPS = 400_000;

/** Counts steps down. */
export class Work {
  #left: number;

  constructor(steps = MAX_STEPS) {
    this.#left = steps;
  }

  /** @throws GlobLimitError when there are no steps left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new GlobLimitError('the patterns take too long');
  }
}
