import { join } from 'node:path';
import { GitPool } from './objects.ts';
import type { GitRepository, ObjectFormat } from './repository.ts';

/** The git side of the running server. */
export interface GitServices {
  /** Reads objects and refs. */
  readonly pool: GitPool;
  /** The folder of a repository, by its id: a rename moves nothing on disk, and no name is ever a path. */
  locate(repository: { id: number; object_format: ObjectFormat }): GitRepository;
  /** The wiki's repository beside it. */
  locateWiki(repository: { id: number; object_format: ObjectFormat }): GitRepository;
  /** The folder that holds all repositories. */
  readonly root: string;
}

/**
 * @param root the absolute folder of all repositories
 * @param options bounds of the object pool
 */
export function createGitServices(root: string, options: ConstructorParameters<typeof GitPool>[0]): GitServices {
  const folder = (id: number, ending: string) => join(root, (id % 256).toString(16).padStart(2, '0'), `${id}${ending}`);
  return {
    pool: new GitPool(options),
    root,
    locate: ({ id, object_format }) => ({ path: folder(id, '.git'), objectFormat: object_format }),
    locateWiki: ({ id, object_format }) => ({ path: folder(id, '.wiki.git'), objectFormat: object_format }),
  };
}
