import { CommitMismatchError, FileExistsError, FileNotFoundError, InvalidPathError, ShaMismatchError } from './change-errors.ts';
import type { TreeEditor, TreeItem } from './edit-tree.ts';
import type { FileChange } from './file-change.ts';

type CheckedChange = FileChange & { fromPath: string };

/**
 * Requires that the file of a change exists and has the content that the caller expects: the given blob, or else its content in the commit
 * that the caller has seen.
 */
export async function requireUnchanged(change: CheckedChange, base: TreeEditor, seen: TreeEditor, seenCommit: string): Promise<void> {
  const { operation, path, fromPath, sha, recursive } = change;
  if (operation === 'create') return;
  const existing = await base.get(fromPath);
  if (!existing && operation !== 'upload') throw await missing(fromPath, base);
  if (sha && sha !== (existing?.oid ?? '')) throw new ShaMismatchError(path, sha, existing?.oid ?? '');
  if (!sha && seen !== base && (await seen.get(path))?.oid !== (await base.get(path))?.oid) throw new CommitMismatchError(seenCommit);
  if (existing?.mode === '040000' && !(operation === 'delete' && recursive))
    throw new InvalidPathError(fromPath, 'a directory is not a file');
}

async function missing(path: string, base: TreeEditor): Promise<FileNotFoundError> {
  const names = path.split('/');
  for (const [depth, name] of names.slice(0, -1).entries()) {
    const item = await base.get(names.slice(0, depth + 1).join('/'));
    if (!item) return new FileNotFoundError(name);
    if (item.mode !== '040000') return new FileNotFoundError('', item.oid);
  }
  return new FileNotFoundError(path);
}

/** Requires a free path for a file: no file among its folders, and at the path itself only the file that is changed. */
export async function requireFreePath({ operation, path, fromPath, replacesLink }: CheckedChange, base: TreeEditor): Promise<void> {
  if (operation === 'delete') return;
  const names = path.split('/');
  for (let count = 1; count < names.length; count++) {
    const folder = names.slice(0, count).join('/');
    const item = await base.get(folder);
    if (!item) return;
    if (item.mode !== '040000') throw new InvalidPathError(folder, 'a file exists where you’re trying to create a subdirectory');
  }
  const item = await base.get(path);
  if (!item) return;
  const kind = obstacle(item);
  if (kind && !(replacesLink && item.mode === '120000')) throw new InvalidPathError(path, kind);
  if (operation === 'create' || fromPath !== path) throw new FileExistsError(path);
}

function obstacle({ mode }: TreeItem): string | undefined {
  switch (mode) {
    case '120000':
      return 'a symbolic link exists where you’re trying to create a subdirectory';
    case '040000':
      return 'a directory exists where you’re trying to create a file';
    default:
      return undefined;
  }
}
