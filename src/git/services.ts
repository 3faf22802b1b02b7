import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitPool } from './objects/objects.ts';
import type { GitRepository, ObjectFormat } from './repository.ts';
import { type VolumePlace, Volumes, VolumeUnavailableError } from './volumes.ts';
import { WriteGate } from './write-gate.ts';

/** The columns of a repository's row that locate it. */
export interface RepositoryPlace {
  readonly id: number;
  readonly object_format: ObjectFormat;
  /** The name of a volume. */
  readonly volume: string;
}

/** The git layer of the running server. */
export interface GitServices {
  /** Reads objects and refs. */
  readonly pool: GitPool;
  /**
   * The repository of a row. Only this and {@link locateWiki} know where repositories are stored: by volume and id, so a rename moves nothing
   * on disk, and no name is ever a path. Its path follows a move to another volume.
   * @throws VolumeUnavailableError
   */
  locate(repository: RepositoryPlace): GitRepository;
  /**
   * The wiki's repository beside it.
   * @throws VolumeUnavailableError
   */
  locateWiki(repository: RepositoryPlace): GitRepository;
  /** Whether its folder exists. */
  exists(repository: GitRepository): Promise<boolean>;
  readonly volumes: Volumes;
  /** Counts writes, and delays them while a repository is moved. */
  readonly gate: WriteGate;
  /** Records that the repository has been moved: rows that were read before lead to the new volume, too. */
  relocate(id: number, from: string, to: string): void;
  /** The possible folders of a repository and its wiki on all volumes, by its id. */
  everywhere(id: number): { path: string }[];
  /** The folder of the default volume. */
  readonly root: string;
}

/** How many moves are remembered, for rows that were read before them. */
const MAX_RELOCATIONS = 100_000;

/**
 * @param places the volumes, including the default one
 * @param process the id of this process
 * @param options limits of the object pool
 */
export function createGitServices(
  places: readonly VolumePlace[],
  process: number,
  options: ConstructorParameters<typeof GitPool>[0],
): GitServices {
  const volumes = new Volumes(places, process);
  const gate = new WriteGate();
  const relocations = new Map<number, { from: string; to: string }>();
  const volumeOf = ({ id, volume }: Pick<RepositoryPlace, 'id' | 'volume'>) => {
    const moved = relocations.get(id);
    return volumes.get(moved?.from === volume ? moved.to : volume);
  };
  const locate = ({ id, volume, object_format }: RepositoryPlace, name: string): GitRepository => {
    const place = { id, volume };
    const now = volumeOf(place);
    if (!now.isAvailable) throw new VolumeUnavailableError(now.name);
    let on = now;
    let path = on.folderOf(name);
    return {
      get path() {
        const volume = volumeOf(place);
        if (volume !== on) [on, path] = [volume, volume.folderOf(name)];
        return path;
      },
      objectFormat: object_format,
      writing: (task) =>
        gate.run(id, async () => {
          await volumeOf(place).writers.note(name);
          return await task();
        }),
    };
  };
  return {
    pool: new GitPool(options),
    root: volumes.default.path,
    volumes,
    gate,
    exists: ({ path }) =>
      stat(join(path, 'HEAD')).then(
        () => true,
        () => false,
      ),
    locate: (repository) => locate(repository, `${repository.id}.git`),
    locateWiki: (repository) => locate(repository, `${repository.id}.wiki.git`),
    relocate: (id, from, to) => {
      relocations.delete(id);
      relocations.set(id, { from, to });
      const [oldest] = relocations.keys();
      if (relocations.size > MAX_RELOCATIONS && oldest !== undefined) relocations.delete(oldest);
    },
    everywhere: (id) => volumes.all.flatMap((volume) => [`${id}.git`, `${id}.wiki.git`].map((name) => ({ path: volume.folderOf(name) }))),
  };
}
