/** An error in a job or in the start of a runner, with a message for its author. */
export class RunnerProblem extends Error {
  override readonly name = 'RunnerProblem';
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
