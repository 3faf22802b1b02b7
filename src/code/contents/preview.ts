import type { Context } from '../../context.ts';
import { InvalidPathError } from '../../git/edit/change-errors.ts';
import { TreeConflictError, TreeEditor } from '../../git/edit/edit-tree.ts';
import { inScratch } from '../../git/objects/quarantine.ts';
import { newObject } from '../../git/objects/write-objects.ts';
import type { GitRepository } from '../../git/repository.ts';
import { unprocessable } from '../../http/errors.ts';

/** A file after a change. Paths are clean ({@link cleanFilePath}). */
export interface PreviewedFile {
  readonly path: string;
  /** Its former path, if it is moved. */
  readonly fromPath?: string | undefined;
  readonly content: Uint8Array;
  readonly mode?: '100644' | '100755';
}

/**
 * Builds the tree of a change of one file for `task` alone: nothing of it is kept.
 * @param tree the tree to change; null for an empty one
 * @param task gets the id of the tree, and the repository with its objects
 * @throws HttpError 422 when something else stands at the path
 */
export async function withChangedTree<R>(
  context: Context,
  folder: GitRepository,
  tree: string | null,
  { path, fromPath, content, mode = '100644' }: PreviewedFile,
  task: (tree: string, within: GitRepository) => Promise<R>,
): Promise<R> {
  return await inScratch(folder, async (quarantine) => {
    const editor = new TreeEditor(folder, context.git.pool, tree);
    const blob = newObject(folder.objectFormat, 'blob', content);
    if (fromPath !== undefined && fromPath !== path) await editor.remove(fromPath);
    try {
      await editor.set(path, { mode, oid: blob.oid });
    } catch (error) {
      if (error instanceof TreeConflictError) throw unprocessable(new InvalidPathError(error.path, 'something stands in the way').message);
      throw error;
    }
    const root = await editor.finish();
    await quarantine.write([blob, ...root.objects]);
    return await task(root.oid, { ...folder, quarantine: quarantine.env });
  });
}
