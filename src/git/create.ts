import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isValidBranchName } from './refs/ref-names.ts';
import type { GitRepository, ObjectFormat } from './repository.ts';

/** Options of {@link createRepository}. */
export interface CreateRepositoryOptions {
  objectFormat?: ObjectFormat;
  /** The short name of the unborn branch that HEAD points to. */
  defaultBranch: string;
}

/** The path exists already. */
export class RepositoryExistsError extends Error {
  override readonly name = 'RepositoryExistsError';
}

/**
 * Creates a bare repository like `git init --bare`, without starting git. It is built under a temporary name and renamed, so that it is there
 * completely or not at all.
 * @throws RepositoryExistsError when the path exists
 */
export async function createRepository(
  path: string,
  { objectFormat = 'sha1', defaultBranch }: CreateRepositoryOptions,
): Promise<GitRepository> {
  if (!isValidBranchName(defaultBranch)) throw new TypeError(`not a branch name: ${JSON.stringify(defaultBranch)}`);
  const building = besideName(path, 'new');
  await mkdir(dirname(path), { recursive: true });
  await mkdir(building);
  try {
    await Promise.all(
      ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'].map((folder) =>
        mkdir(join(building, folder), { recursive: true }),
      ),
    );
    await Promise.all([
      writeFile(join(building, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`),
      writeFile(join(building, 'config'), repositoryConfig(objectFormat)),
    ]);
    await rename(building, path);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') throw new RepositoryExistsError(`something is at ${path} already`);
    throw error;
  }
  return { path, objectFormat };
}

/**
 * Deletes a repository. It is renamed first: whatever interrupts the deletion, nobody finds an incomplete repository. Returns false when
 * there was none.
 */
export async function deleteRepository(repository: Pick<GitRepository, 'path'>): Promise<boolean> {
  const removing = besideName(repository.path, 'removed');
  let isThere = true;
  try {
    await rename(repository.path, removing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    isThere = false;
  }
  // Also deletes what interrupted creations and deletions of it have left.
  const folder = dirname(repository.path);
  for (const name of await readdir(folder).catch(() => []))
    if (isRepositoryLeftover(name) && name.startsWith(`.${basename(repository.path)}.`))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  return isThere;
}

/** Whether a name in a folder of repositories was left by an interrupted creation or deletion, so that it can be deleted. */
export function isRepositoryLeftover(name: string): boolean {
  return /^\..+\.(new|removed)-[0-9a-f]{12}$/.test(name);
}

function besideName(path: string, purpose: 'new' | 'removed'): string {
  return join(dirname(path), `.${basename(path)}.${purpose}-${randomBytes(6).toString('hex')}`);
}

/**
 * - `gc.auto`, `maintenance.auto`: the server starts maintenance, never the command that happens to run.
 * - `core.logAllRefUpdates`: ref updates are recorded with the activity, a second file for each would only cost;
 *   commits that a forced push leaves behind stay until maintenance's expiry.
 * - `core.fsync`: objects and refs survive a power failure, not only a crash.
 */
function repositoryConfig(format: ObjectFormat): string {
  const sha256 = format === 'sha256';
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tfilemode = true',
    '\tbare = true',
    '\tlogAllRefUpdates = false',
    '\tfsync = committed,reference',
    ...(sha256 ? ['[extensions]', '\tobjectformat = sha256'] : []),
    '[gc]',
    '\tauto = 0',
    '[maintenance]',
    '\tauto = false',
    '',
  ].join('\n');
}
