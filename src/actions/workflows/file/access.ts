import { type MappingTree, type Tree, wrong } from './tree.ts';

/** The value of a key; undefined if it is missing, or null. */
export function child(tree: MappingTree, key: string): Tree | undefined {
  const found = tree.entries.get(key);
  return found === undefined || isNull(found) ? undefined : found;
}

/** Whether it is null, or left empty. */
export function isNull(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

/**
 * The literal text of a scalar.
 * @throws WorkflowError for lists and mappings
 */
export function textOf(tree: Tree, name: string): string {
  if (tree.kind !== 'scalar') throw wrong(tree, `${name} has to be a text`);
  return tree.text;
}

/**
 * The text under a key; empty without one.
 * @throws WorkflowError
 */
export function textAt(tree: MappingTree, key: string): string {
  const found = child(tree, key);
  return found ? textOf(found, key) : '';
}

/**
 * The mapping under a key; undefined without one.
 * @throws WorkflowError when there is something else
 */
export function mappingAt(tree: MappingTree, key: string): MappingTree | undefined {
  const found = child(tree, key);
  if (found && found.kind !== 'mapping') throw wrong(found, `${key} has to be a mapping`);
  return found;
}

/**
 * A text, or a list of texts.
 * @throws WorkflowError
 */
export function textsOf(tree: Tree | undefined, name: string): string[] {
  if (!tree || isNull(tree)) return [];
  if (tree.kind === 'scalar') return [tree.text];
  if (tree.kind === 'mapping') throw wrong(tree, `${name} has to be a text or a list of texts`);
  return tree.items.map((item) => textOf(item, name));
}

/** The plain value of a tree. */
export function plainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plainValue);
  return Object.fromEntries([...tree.entries].map(([key, value]) => [key, plainValue(value)]));
}

/** The value for writing YAML: numbers and so on that would be written differently become texts. */
export function writtenValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value === null || String(tree.value) === tree.text ? tree.value : tree.text;
  if (tree.kind === 'list') return tree.items.map(writtenValue);
  return Object.fromEntries([...tree.entries].map(([key, value]) => [key, writtenValue(value)]));
}
