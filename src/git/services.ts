import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitPool } from './objects.ts';
import type { GitRepository, ObjectFormat } from './repository.ts';
import { RepositoryWriters } from './writers.ts';

/** The git side of the running server. */
export interface GitServices {
  /** Reads objects and refs. */
  readonly pool: GitPool;
  /** The folder of a repository, by its id: a rename moves nothing on disk, and no name is ever a path. */
  locate(repository: { id: number; object_format: ObjectFormat }): GitRepository;
  /** Whether there is a folder of it. */
  exists(repository: GitRepository): Promise<boolean>;
  /** The wiki's repository beside it. */
  locateWiki(repository: { id: number; object_format: ObjectFormat }): GitRepository;
  /** The folder that holds all repositories. */
  readonly root: string;
  /** Which repositories are written to, by whom. */
  readonly writers: RepositoryWriters;
  /** The path of the repository whose folder has this name, such as `5.wiki.git`. */
  folderOf(name: string): string;
}

/**
 * @param root the absolute folder of all repositories
 * @param process the id of this process
 * @param options bounds of the object pool
 */
export function createGitServices(root: string, process: number, options: ConstructorParameters<typeof GitPool>[0]): GitServices {
  const writers = new RepositoryWriters(root, process);
  const folderOf = (name: string) => join(root, (Number.parseInt(name, 10) % 256).toString(16).padStart(2, '0'), name);
  const locate = (name: string, objectFormat: ObjectFormat): GitRepository => ({
    path: folderOf(name),
    objectFormat,
    beforeWrite: () => writers.note(name),
  });
  return {
    pool: new GitPool(options),
    root,
    writers,
    exists: ({ path }) =>
      stat(join(path, 'HEAD')).then(
        () => true,
        () => false,
      ),
    folderOf,
    locate: ({ id, object_format }) => locate(`${id}.git`, object_format),
    locateWiki: ({ id, object_format }) => locate(`${id}.wiki.git`, object_format),
  };
}
