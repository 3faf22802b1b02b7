import { InvalidPathError } from '../../git/edit/change-errors.ts';
import type { FileChange } from '../../git/edit/file-change.ts';
import { cleanFilePath } from '../../git/trees/file-paths.ts';
import { unprocessable } from '../../http/errors.ts';

/** The paths of the changes, including the former paths of moved files. */
export function pathsOf(files: readonly FileChange[]): string[] {
  return files.flatMap(({ path, fromPath }) => {
    const clean = cleanFilePath(path);
    if (clean === undefined) throw unprocessable(new InvalidPathError(path).message);
    const from = fromPath ? cleanFilePath(fromPath) : undefined;
    if (fromPath && from === undefined) throw unprocessable(new InvalidPathError(fromPath).message);
    return from === undefined || from === clean ? [clean] : [clean, from];
  });
}

/** The default message of a commit. */
export function messageFor(files: readonly FileChange[]): string {
  const of = (word: string, ...operations: FileChange['operation'][]) => {
    const paths = files.filter(({ operation }) => operations.includes(operation)).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${word} ${paths.join(', ')}`];
  };
  return [...of('Add', 'create'), ...of('Update', 'update', 'upload', 'rename'), ...of('Delete', 'delete')].join('\n');
}
