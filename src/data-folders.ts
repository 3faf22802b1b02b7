import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_VOLUME, type VolumePlace } from './git/volumes.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { usedStorageTypes } from './storage/open.ts';

/** In the data folder while a backup is being restored into it. */
export const RESTORE_MARKER = 'restore-unfinished';

/**
 * Makes the folders that hold the instance's data, closed to other users of the machine. Folders that exist keep their permissions.
 * @throws StartError that names the setting of a folder that cannot be made or written to, and when a backup is being restored into it
 */
export function prepareDataFolders(settings: Settings): void {
  const { server, repository, storage } = settings;
  prepare(server.dataDir, 'COPSE_DATA_DIR (server.dataDir)');
  if (existsSync(join(server.dataDir, RESTORE_MARKER)))
    throw new StartError(
      'a backup has not been restored to its end: run the same "copse restore" again, or begin with an empty data folder',
    );
  prepare(repository.path, 'repository.path');
  for (const { name, path } of repository.volumes) prepareVolume(name, path);
  if (usedStorageTypes(settings).has('disk')) prepare(storage.path, 'storage.path');
}

function prepare(folder: string, setting: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(join(folder, '.'), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new StartError(
      `the folder ${folder} cannot be written to (${code}): give its permissions to the user that runs Copse, or set ${setting} to another folder`,
      { cause: error },
    );
  }
}

/** A volume is not made: where its file system is not mounted, the repositories of it would seem to be gone. */
function prepareVolume(name: string, path: string): void {
  try {
    accessSync(join(path, '.'), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new StartError(
      `the volume ${name} of repositories cannot be used at ${path} (${code}): mount it, or make the folder and give its permissions to the user that runs Copse (repository.volumes)`,
      { cause: error },
    );
  }
}

/** The volumes of repositories, by the settings. */
export function volumePlaces({ repository: { path, volumes, closedVolumes } }: Settings): VolumePlace[] {
  return [{ name: DEFAULT_VOLUME, path }, ...volumes].map((place) => ({ ...place, isClosed: closedVolumes.includes(place.name) }));
}
