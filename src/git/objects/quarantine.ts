import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitRepository, whileWriting } from '../repository.ts';
import { type NewObject, writeObjects } from './write-objects.ts';

/** A folder for objects that are not part of the repository yet. */
export interface Quarantine {
  /** The folder of the new objects. Other temporary files may be here too; only objects are moved to the repository. */
  readonly folder: string;
  /** For git processes: they read the repository, and write here. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds objects that are moved to the repository in the end. */
  write(objects: Iterable<NewObject>): Promise<void>;
  /** Adds objects that git sees while the quarantine exists, and that are never kept. */
  writeScratch(objects: Iterable<NewObject>): Promise<void>;
}

/**
 * Runs `task` with a quarantine. If it succeeds, the objects are moved to the repository; if it fails, they are deleted.
 * git's own cleanup knows the folder's name, in case the process ends in between.
 */
export async function inQuarantine<T>(repository: GitRepository, task: (quarantine: Quarantine) => Promise<T>): Promise<T> {
  return await whileWriting(repository, () => withQuarantine(repository, task, true));
}

/** Runs `task` with a quarantine whose objects are discarded afterwards. */
export async function inScratch<T>(repository: GitRepository, task: (quarantine: Quarantine) => Promise<T>): Promise<T> {
  return await whileWriting(repository, () => withQuarantine(repository, task, false));
}

async function withQuarantine<T>(repository: GitRepository, task: (quarantine: Quarantine) => Promise<T>, keep: boolean): Promise<T> {
  const objects = join(repository.path, 'objects');
  const folder = await mkdtemp(join(objects, 'tmp_objdir-copse-'));
  try {
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    const result = await task({
      folder,
      env: {
        GIT_OBJECT_DIRECTORY: folder,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: [objects, scratch].map(quote).join(':'),
        GIT_QUARANTINE_PATH: folder,
      },
      write: (newObjects) => writeObjects(repository, newObjects, folder),
      writeScratch: (newObjects) => writeObjects(repository, newObjects, scratch),
    });
    if (keep) await takeOver(folder, objects);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** git splits the variable at colons, but not within double quotes. */
function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Moves loose objects and packs, an index after its pack: readers fail on an index without one. */
async function takeOver(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (!/^[0-9a-f]{2}$/.test(name) && name !== 'pack') continue;
    const files = (await readdir(join(from, name))).filter((file) => !file.startsWith('tmp_'));
    files.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
    for (const file of files) await move(join(from, name, file), join(to, name, file));
  }
}

/** Creates the folder if it is missing, even repeatedly: concurrent maintenance may delete it while it is empty. */
async function move(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error;
      // Not recursive: if the repository was deleted, it must not reappear.
      await mkdir(dirname(to)).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}
