import type { ObjectType } from '../objects/object.ts';
import { parseRawTree } from '../objects/tree-format.ts';
import type { ObjectFormat } from '../repository.ts';
import type { TreeItem } from './edit-tree.ts';

/** Maximum number of objects that are read: for more, git is faster, and nobody else has to wait. */
const MAX_OBJECTS = 32;

/** The new item at a path. */
export interface ChangedItem {
  readonly path: string;
  readonly item: TreeItem;
}

/** The content of a small object of this type; undefined where git has to look for it. */
export type ReadSmall = (oid: string, type: ObjectType) => Buffer | undefined | Promise<Buffer | undefined>;

/** Something cannot be read, or there is too much of it. */
class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

/**
 * The changes of a commit's tree against another, as `git diff-tree` finds them: without git where few objects have to be read for that.
 * @returns undefined where git has to compare them
 */
export async function fewChanges(
  readSmall: ReadSmall,
  format: ObjectFormat,
  commit: string,
  parent: string,
): Promise<readonly ChangedItem[] | undefined> {
  let left = MAX_OBJECTS;
  const read = async (oid: string, type: ObjectType) => {
    const content = left-- > 0 ? await readSmall(oid, type) : undefined;
    if (!content) throw new TooMuchError();
    return content;
  };
  const treeOf = async (oid: string) => {
    const content = await read(oid, 'commit');
    return content.toString('latin1', 'tree '.length, content.indexOf('\n'));
  };
  const found: ChangedItem[] = [];
  const compare = async (tree: string, before: string | undefined, folder: string) => {
    if (tree === before) return;
    const old = before === undefined ? [] : parseRawTree(await read(before, 'tree'), format);
    const same = new Set(old.map(({ mode, name, oid }) => `${mode} ${oid} ${name}`));
    for (const { mode, name, oid } of parseRawTree(await read(tree, 'tree'), format)) {
      if (same.has(`${mode} ${oid} ${name}`)) continue;
      const path = folder + Buffer.from(name, 'latin1').toString();
      if (mode === '040000') await compare(oid, old.find((entry) => entry.name === name && entry.mode === mode)?.oid, `${path}/`);
      else found.push({ path, item: { mode, oid } });
    }
  };
  try {
    await compare(await treeOf(commit), await treeOf(parent), '');
    return found;
  } catch (error) {
    if (error instanceof TooMuchError) return undefined;
    throw error;
  }
}
