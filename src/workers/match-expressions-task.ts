import { expressionMatcher } from '../text/pattern.ts';

/** The expressions and texts to match. */
export interface ExpressionsTask {
  readonly expressions: readonly string[];
  readonly texts: readonly string[];
}

/** For each text, which of the expressions are found in it. */
export function run({ expressions, texts }: ExpressionsTask): boolean[][] {
  const matchers = expressions.map((expression) => expressionMatcher(expression));
  return texts.map((text) => matchers.map((matches) => matches(text)));
}
