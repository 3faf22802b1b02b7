import type { TreeItem } from './edit-tree.ts';
import { readLooseObject } from './loose-object.ts';
import type { ObjectType } from './object.ts';
import type { ObjectFormat } from './repository.ts';
import { parseRawTree } from './tree-format.ts';

/** Objects that are read, at most: beyond that git is faster, and nobody waits for the others meanwhile. */
const MAX_OBJECTS = 32;

/** What a path leads to now. */
export interface ChangedItem {
  readonly path: string;
  readonly item: TreeItem;
}

/** Something has to be read that is packed or large, or there is too much of it. */
class NotLooseError extends Error {
  override readonly name = 'NotLooseError';
}

/**
 * What a commit puts into the tree of another, as `git diff-tree` finds it: without git where few objects have to be read for that, and all
 * of them stand in files of their own, as after a merge of recent commits.
 * @param folders of objects, such as a quarantine and its repository's
 * @returns undefined where git has to compare them
 */
export function looseChanges(
  folders: readonly string[],
  format: ObjectFormat,
  commit: string,
  parent: string,
): readonly ChangedItem[] | undefined {
  let left = MAX_OBJECTS;
  const read = (oid: string, type: ObjectType) => {
    if (left-- === 0) throw new NotLooseError();
    for (const folder of folders) {
      const object = readLooseObject(folder, oid);
      if (object?.type === type) return object.data;
    }
    throw new NotLooseError();
  };
  const treeOf = (oid: string) => {
    const content = read(oid, 'commit');
    return content.toString('latin1', 'tree '.length, content.indexOf('\n'));
  };
  const found: ChangedItem[] = [];
  const compare = (tree: string, before: string | undefined, folder: string) => {
    if (tree === before) return;
    const old = before === undefined ? [] : parseRawTree(read(before, 'tree'), format);
    const same = new Set(old.map(({ mode, name, oid }) => `${mode} ${oid} ${name}`));
    for (const { mode, name, oid } of parseRawTree(read(tree, 'tree'), format)) {
      if (same.has(`${mode} ${oid} ${name}`)) continue;
      const path = folder + Buffer.from(name, 'latin1').toString();
      if (mode === '040000') compare(oid, old.find((entry) => entry.name === name && entry.mode === mode)?.oid, `${path}/`);
      else found.push({ path, item: { mode, oid } });
    }
  };
  try {
    compare(treeOf(commit), treeOf(parent), '');
    return found;
  } catch (error) {
    if (error instanceof NotLooseError) return undefined;
    throw error;
  }
}
