/**
 * The patterns of `.editorconfig` (https://spec.editorconfig.org/#glob-expressions): `*` and `?` within a name, `**` across
 * folders, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}`. A pattern becomes a machine that is in several states at once and never goes back,
 * so that its time grows with its length times that of the path, whatever it says. That is bounded by the steps that a caller grants.
 */

/** Thrown when patterns take more steps than they were granted. */
export class GlobLimitError extends Error {
  override readonly name = 'GlobLimitError';
}

/** Steps that the patterns of one file may take together: some 20 ms. */
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
