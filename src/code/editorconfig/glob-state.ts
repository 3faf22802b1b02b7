/** Whether a sign is taken. */
export type Test = (sign: string) => boolean;

/** A state: to the next ones with a sign that passes, or without any. */
export interface State {
  test: Test | undefined;
  next: State[];
  /** A number between the two, taken in one piece. */
  range: readonly [low: number, high: number] | undefined;
  /** The last place of the path where the machine was in this state. */
  at: number;
}

/** A state that nothing leads to or from yet. */
export function state(test?: Test): State {
  return { test, next: [], range: undefined, at: -1 };
}
