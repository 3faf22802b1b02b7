import { GitError, type GitLimits, runGit } from './process.ts';
import { type GitRepository, isObjectId } from './repository.ts';
import { splitPath } from './trees.ts';

/** Going through the history of a line may take this long. */
const TIMEOUT_MS = 20_000;

/**
 * The commit in which a line got its present form.
 * @param commit a full id: how the file is looked at
 * @param line from 1 on
 * @returns `undefined` if the commit has no such file or line, or the search takes too long
 */
export async function lineOrigin(
  repository: GitRepository,
  commit: string,
  path: string,
  line: number,
  { timeoutMs = TIMEOUT_MS }: GitLimits = {},
): Promise<string | undefined> {
  if (!isObjectId(commit, repository.objectFormat)) throw new TypeError(`${JSON.stringify(commit)} is no object id`);
  if (!splitPath(path)?.length || !Number.isSafeInteger(line) || line < 1) return undefined;
  try {
    const args = ['blame', '-L', `${line},${line}`, '--porcelain', commit, '--', path];
    const { stdout } = await runGit(args, { cwd: repository.path, timeoutMs });
    const id = stdout.toString('latin1').split(' ', 1)[0] ?? '';
    return isObjectId(id, repository.objectFormat) ? id : undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
