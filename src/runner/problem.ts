/** What is wrong with a job or with how the runner was started, in words for its author. */
export class RunnerProblem extends Error {
  override readonly name = 'RunnerProblem';
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
