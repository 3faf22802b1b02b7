import type { Database, Db } from '../../database/database.ts';
import { VOLUME_MARKER, type Volume, type VolumePlace, Volumes } from '../../git/volumes.ts';
import { StartError } from '../../start-error.ts';

/**
 * Checks at the start that every volume is available, and marks new ones. The folder of a mount point exists without its file system,
 * too: its repositories would seem to be missing.
 * @throws StartError that names the volume; then the database is closed
 */
export async function prepareVolumes(database: Database, places: readonly VolumePlace[]): Promise<void> {
  try {
    await checkVolumes(database.db, new Volumes(places, 0));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws StartError as {@link prepareVolumes} */
export async function checkVolumes(db: Db, volumes: Volumes): Promise<void> {
  for (const volume of volumes.all) {
    const marked = await volume.markedName();
    if (marked === undefined) await markVolume(db, volume);
    else if (marked !== volume.name)
      throw new StartError(`${volume.path} is the volume ${marked} of repositories, not ${volume.name}: look at repository.volumes`);
  }
  const rows = await db.selectFrom('repositories').select('volume').distinct().execute();
  const unknown = rows.map(({ volume }) => volume).filter((name) => !volumes.has(name));
  if (unknown.length > 0)
    throw new StartError(`there are repositories on the volume ${unknown.join(', ')}, which repository.volumes does not name`);
}

async function markVolume(db: Db, volume: Volume): Promise<void> {
  const isExpected = await db.selectFrom('repositories').select('id').where('volume', '=', volume.name).limit(1).executeTakeFirst();
  if (isExpected && !(await volume.isUsed()))
    throw new StartError(
      `the volume ${volume.name} of repositories is empty at ${volume.path}: mount it; if its repositories are lost, make the file ${VOLUME_MARKER} with the text ${volume.name} in it`,
    );
  await volume.mark();
}
