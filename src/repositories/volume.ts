import type { Context } from '../context.ts';
import { DEFAULT_VOLUME, type Volume } from '../git/volumes.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The volume for a new repository: the one with the most free space among those that accept new ones. A fork is on the volume of its source,
 * because it has hard links to it.
 * @throws HttpError 503 when no volume is available that accepts new ones; VolumeUnavailableError when the source's is not available
 */
export async function chooseVolume({ db, git }: Pick<Context, 'db' | 'git'>, sourceId: number | null = null): Promise<string> {
  const source =
    sourceId === null ? undefined : await db.selectFrom('repositories').select('volume').where('id', '=', sourceId).executeTakeFirst();
  if (source) return (await git.volumes.requireAvailable(source.volume)).name;
  const { all } = git.volumes;
  if (all.length === 1) return (await git.volumes.requireAvailable(DEFAULT_VOLUME)).name;
  const open = await Promise.all(all.filter(({ isClosed }) => !isClosed).map(withSpace));
  const best = open.filter(({ bytes }) => bytes >= 0).sort((a, b) => b.bytes - a.bytes)[0];
  if (!best) throw new HttpError(503, 'no volume for new repositories is available; try again later', { headers: { 'retry-after': '2' } });
  return best.volume.name;
}

/** With its free space; -1 if it is unavailable. */
async function withSpace(volume: Volume): Promise<{ volume: Volume; bytes: number }> {
  const bytes = (await volume.check()) ? await volume.freeSpace().catch(() => -1) : -1;
  return { volume, bytes };
}
