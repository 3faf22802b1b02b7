import { GitError, type GitLimits, runGit } from '../processes/process.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { splitPath } from '../trees/trees.ts';

/** Timeout for the history of a line. */
const TIMEOUT_MS = 20_000;

/**
 * The commit that last changed a line.
 * @param commit a full id: the version of the file
 * @param line from 1
 * @returns `undefined` if the commit has no such file or line, or the search takes too long
 */
export async function lineOrigin(
  repository: GitRepository,
  commit: string,
  path: string,
  line: number,
  { timeoutMs = TIMEOUT_MS }: GitLimits = {},
): Promise<string | undefined> {
  if (!isObjectId(commit, repository.objectFormat)) throw new TypeError(`${JSON.stringify(commit)} is not an object id`);
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
