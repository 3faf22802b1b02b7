import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Repository, withOwners } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { isRepositoryLeftover } from '../../git/create.ts';
import { GitError, GitLimitError, runGit } from '../../git/processes/process.ts';
import { listRefs, readHead } from '../../git/refs/refs.ts';
import { setHead } from '../../git/refs/update-refs.ts';
import type { Volume } from '../../git/volumes.ts';
import type { Finding } from './finding.ts';
import { otherVolume } from './volumes.ts';

/** How many repositories are checked at once. */
const BATCH = 200;
/** What an interrupted change left is deleted after so many milliseconds. */
const LEFTOVER_MS = 3600_000;

/** Every repository that is ready, by id. */
export async function* readyRepositories({ db }: Context): AsyncGenerator<Repository> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('repositories')
      .selectAll()
      .where('state', '=', 'ready')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield* await withOwners(db, rows);
    after = last.id;
  }
}

/** Repositories whose folder does not match their row. */
export async function* folderFindings(context: Context, options: { fsck: boolean; signal?: AbortSignal }): AsyncGenerator<Finding> {
  for await (const repository of readyRepositories(context)) {
    options.signal?.throwIfAborted();
    const name = `${repository.owner.name}/${repository.name} (${repository.id})`;
    if (!context.git.volumes.get(repository.volume).isAvailable) continue;
    const folder = context.git.locate(repository);
    if (!existsSync(join(folder.path, 'HEAD'))) {
      yield { text: `${name} has no folder at ${folder.path}: bring it back from a backup, or delete the repository` };
      continue;
    }
    yield* refFindings(context, repository, name);
    if (options.fsck) yield* objectFindings(context, folder.path, name, options.signal);
  }
}

async function* refFindings(context: Context, repository: Repository, name: string): AsyncGenerator<Finding> {
  const { db, git } = context;
  const folder = git.locate(repository);
  const branches = (await listRefs(folder, git.pool, 'refs/heads/')).length;
  const isEmpty = branches === 0;
  if (branches !== repository.branches_count || isEmpty !== repository.is_empty) {
    yield {
      text: `${name} has ${branches} branches, not ${repository.branches_count}`,
      fix: async () => {
        await db.updateTable('repositories').set({ branches_count: branches, is_empty: isEmpty }).where('id', '=', repository.id).execute();
      },
    };
  }
  const head = (await readHead(folder, git.pool)).ref;
  const wanted = `refs/heads/${repository.default_branch}`;
  if (head === wanted) return;
  yield { text: `${name} has HEAD on ${head ?? 'a commit'}, not on ${wanted}`, fix: () => setHead(folder, wanted) };
}

async function* objectFindings({ settings }: Context, path: string, name: string, signal?: AbortSignal): AsyncGenerator<Finding> {
  const options = { cwd: path, timeoutMs: settings.git.maintenanceTimeout, ...(signal && { signal }) };
  try {
    await runGit(['fsck', '--no-progress', '--no-dangling'], options);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    // That git was stopped means nothing about the objects.
    if (error instanceof GitLimitError) yield { text: `${name} could not be checked: ${error.stderr}` };
    else yield { text: `${name} is damaged: ${error.stderr.trim().split('\n').slice(0, 5).join('; ') || error.message}` };
  }
}

/** Folders without a repository, and what interrupted changes left. */
export async function* strayFolders(context: Context): AsyncGenerator<Finding> {
  for (const volume of context.git.volumes.all) {
    if (!(await volume.check())) {
      yield { text: `the volume ${volume.name} of repositories is not available at ${volume.path}` };
      continue;
    }
    for (const part of await namesIn(volume.path)) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue;
      for (const name of await namesIn(join(volume.path, part))) yield* strayFolder(context, volume, join(volume.path, part, name));
    }
  }
}

async function* strayFolder(context: Context, volume: Volume, path: string): AsyncGenerator<Finding> {
  const { db } = context;
  const name = basename(path);
  const remove = () => rm(path, { recursive: true, force: true });
  if (isRepositoryLeftover(name)) {
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - LEFTOVER_MS) yield { text: `${path} was left by an interrupted change`, fix: remove };
    return;
  }
  const id = /^(?:(\d{1,15})(?:\.wiki)?\.git|\.(\d{1,15})(?:\.wiki)?\.git\.moving)$/
    .exec(name)
    ?.find((part, index) => index > 0 && part !== undefined);
  if (id === undefined) return;
  const row = await db.selectFrom('repositories').select(['id', 'volume']).where('id', '=', Number(id)).executeTakeFirst();
  if (!row) yield { text: `${path} belongs to no repository`, fix: remove, removes: true };
  else if (row.volume !== volume.name) yield* otherVolume(context, row, { volume, path, remove });
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
