/** Whether a character matches. */
export type Test = (sign: string) => boolean;

/** A state, with its transitions: with a matching character, or without any. */
export interface State {
  test: Test | undefined;
  next: State[];
  /** A number between the two, matched at once. */
  range: readonly [low: number, high: number] | undefined;
  /** The last position of the path where the automaton was in this state. */
  at: number;
}

/** A state without transitions. */
export function state(test?: Test): State {
  return { test, next: [], range: undefined, at: -1 };
}
