import { isDeepStrictEqual } from 'node:util';
import { child, plainValue } from './access.ts';
import type { Expressions } from './evaluate.ts';
import { hasExpression } from './evaluate.ts';
import { type MappingTree, type Tree, wrong } from './tree.ts';

/** The values of one job of a matrix. */
export type Combination = Readonly<Record<string, unknown>>;

/** Maximum number of jobs of one matrix; GitHub has the same limit. */
const MAX_COMBINATIONS = 256;

/**
 * The combinations of a job's matrix, ordered by their names; one without values for a job without a matrix.
 * @throws WorkflowError
 */
export function readMatrix(job: MappingTree, expressions: Expressions): Combination[] {
  const strategy = child(job, 'strategy');
  const tree = strategy?.kind === 'mapping' ? child(strategy, 'matrix') : undefined;
  const matrix = tree && evaluated(tree, expressions);
  if (!tree || !isObject(matrix)) return [{}];
  const { include, exclude, ...rest } = matrix;
  const axes = axesOf(tree, rest);
  const combinations = product(tree, axes).filter((one) => !excluded(tree, axes, exclude, one));
  const all = withIncluded(tree, axes, combinations, listOf(tree, include, 'include'));
  if (all.length > MAX_COMBINATIONS) throw wrong(tree, `the matrix has more than ${MAX_COMBINATIONS} combinations`);
  if (all.length === 0) return [{}];
  return all
    .map((one) => ({ one, name: combinationName(one) }))
    .sort(byName)
    .map(({ one }) => one);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The values in parentheses, in the order of their names: distinguishes a job from the others of its matrix. */
export function combinationName(combination: Combination): string {
  const names = Object.keys(combination).sort();
  return `(${names.map((name) => printed(combination[name])).join(', ')})`;
}

/** The form of a value in names of jobs, as clients expect. */
function printed(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`;
  if (isObject(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${printed(value[key])}`)
      .join(' ')}]`;
  return String(value);
}

/** Its plain value, with expressions evaluated. If they cannot be evaluated before the job starts, there is no matrix. */
function evaluated(tree: Tree, expressions: Expressions): unknown {
  const value = plainValue(tree);
  let isUnknown = false;
  const replace = (part: unknown): unknown => {
    if (typeof part === 'string' && hasExpression(part)) {
      try {
        return expressions.evaluate(part);
      } catch {
        isUnknown = true;
        return null;
      }
    }
    if (Array.isArray(part)) return part.map(replace);
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([key, item]) => [key, replace(item)])) : part;
  };
  const result = replace(value);
  return isUnknown ? undefined : result;
}

function axesOf(tree: Tree, values: Record<string, unknown>): Map<string, unknown[]> {
  return new Map(
    Object.entries(values).map(([name, list]) => {
      if (!Array.isArray(list)) throw wrong(tree, `${name} of the matrix has to be a list`);
      return [name, list];
    }),
  );
}

function product(tree: Tree, axes: ReadonlyMap<string, readonly unknown[]>): Record<string, unknown>[] {
  if (axes.size === 0) return [];
  let found: Record<string, unknown>[] = [{}];
  for (const [name, list] of axes) {
    if (found.length * list.length > 16 * MAX_COMBINATIONS) throw wrong(tree, `the matrix has more than ${MAX_COMBINATIONS} combinations`);
    found = found.flatMap((one) => list.map((value) => ({ ...one, [name]: value })));
  }
  return found;
}

function listOf(tree: Tree, value: unknown, name: string): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_COMBINATIONS) throw wrong(tree, `${name} has more than ${MAX_COMBINATIONS} entries`);
  return list.map((item) => {
    if (!isObject(item)) throw wrong(tree, `${name} of the matrix has to be a list of mappings`);
    return item;
  });
}

function excluded(tree: Tree, axes: ReadonlyMap<string, unknown>, exclude: unknown, one: Combination): boolean {
  return listOf(tree, exclude, 'exclude').some((pattern) => {
    for (const name of Object.keys(pattern))
      if (!axes.has(name)) throw wrong(tree, `the key ${JSON.stringify(name)} of exclude is not in the matrix`);
    return Object.entries(pattern).every(([name, value]) => isDeepStrictEqual(one[name], value));
  });
}

/** Adds values to the matching combinations, and what matches none as a new combination. */
function withIncluded(
  tree: Tree,
  axes: ReadonlyMap<string, unknown>,
  combinations: Record<string, unknown>[],
  include: readonly Record<string, unknown>[],
): Record<string, unknown>[] {
  const own: Record<string, unknown>[] = [];
  const fitting = include.filter((values) => Object.keys(values).some((name) => axes.has(name)));
  own.push(...include.filter((values) => !fitting.includes(values)));
  for (const values of fitting) {
    const fits = combinations.filter((one) =>
      Object.entries(values).every(([name, value]) => !axes.has(name) || isDeepStrictEqual(one[name], value)),
    );
    for (const one of fits) Object.assign(one, values);
    if (fits.length === 0) own.push(values);
  }
  if (combinations.length + own.length > MAX_COMBINATIONS) throw wrong(tree, `the matrix has more than ${MAX_COMBINATIONS} combinations`);
  return [...combinations, ...own];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
