import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../registration.ts';

/** The folders of one job; all are deleted after it. */
export interface JobFolders {
  readonly root: string;
  /** `GITHUB_WORKSPACE`: the files of the repository, once they are checked out. */
  readonly workspace: string;
  /** `RUNNER_TEMP` */
  readonly temp: string;
  /** `HOME` of its steps. */
  readonly home: string;
  /** Actions that were fetched. */
  readonly actions: string;
  /** The command files of steps. It is next to the root, so that a container cannot replace it by another folder. */
  readonly files: string;
  /** The credentials of the program that runs containers; created on sign-in. */
  readonly engine: string;
}

/**
 * Makes the private folders of a job.
 * @param jobs the folder of the runner for all of them
 */
export async function makeJobFolders(jobs: string, id: string, repository: string): Promise<JobFolders> {
  const root = join(jobs, id);
  const name = repository.split('/').at(-1) || 'workspace';
  const folders = {
    root,
    workspace: join(root, 'work', name, name),
    temp: join(root, 'temp'),
    home: join(root, 'home'),
    actions: join(root, 'actions'),
    files: join(jobs, `${id}.files`),
    engine: join(jobs, `${id}.engine`),
  };
  await makePrivate(jobs);
  for (const folder of [root, folders.files]) {
    await removeFolder(folder);
    await makePrivate(folder);
  }
  for (const folder of [folders.workspace, folders.temp, folders.home, folders.actions]) await mkdir(folder, { recursive: true });
  return folders;
}

/** Removes the folders of a job. */
export async function removeJobFolders({ root, files, engine }: JobFolders): Promise<void> {
  for (const folder of [root, files, engine]) await removeFolder(folder);
}

/** Removes a folder, also one with folders in it that nobody may write to. */
export async function removeFolder(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  try {
    await rm(folder, options);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await makeWritable(folder);
    await rm(folder, options);
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    if ((await lstat(path)).isDirectory()) await makeWritable(path);
  }
}
