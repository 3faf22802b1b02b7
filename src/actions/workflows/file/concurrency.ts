import { textAt, textOf } from './access.ts';
import { asText, type Expressions, hasExpression } from './evaluate.ts';
import { type Tree, wrong } from './tree.ts';

/** `concurrency` as written: a group, and whether running ones are cancelled. */
export interface RawConcurrency {
  readonly group: string;
  readonly cancel: string;
}

/** With its expressions evaluated. */
export interface Concurrency {
  readonly group: string;
  readonly cancel: boolean;
}

/** Length limit of a group in characters. */
const MAX_GROUP = 1000;

/**
 * `concurrency` of a workflow or a job; undefined without one.
 * @throws WorkflowError
 */
export function readConcurrency(tree: Tree | undefined): RawConcurrency | undefined {
  if (!tree || (tree.kind === 'scalar' && tree.value === null)) return undefined;
  if (tree.kind === 'scalar') return { group: tree.text, cancel: '' };
  if (tree.kind === 'list') throw wrong(tree, '`concurrency` has to be a text or a mapping');
  const cancel = tree.entries.get('cancel-in-progress');
  return { group: textAt(tree, 'group'), cancel: cancel ? textOf(cancel, 'cancel-in-progress') : '' };
}

/**
 * Evaluates its expressions.
 * @throws WorkflowError
 */
export function evaluateConcurrency({ group, cancel }: RawConcurrency, expressions: Expressions): Concurrency {
  const known = (text: string) => (hasExpression(text) ? asText(expressions.evaluate(text)) : text);
  return { group: known(group).slice(0, MAX_GROUP), cancel: known(cancel) === 'true' };
}
