import type { Context } from '../context.ts';
import { DEFAULT_VOLUME, type Volume } from '../git/volumes.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The volume for a new repository: the one with the most free space among those that take new ones. A fork lies beside its source, of
 * which it has hard links.
 * @throws HttpError 503 when no volume is available that takes new ones; VolumeUnavailableError when the source's is not
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

/** With its free space; -1 where it is not available. */
async function withSpace(volume: Volume): Promise<{ volume: Volume; bytes: number }> {
  const bytes = (await volume.check()) ? await volume.freeSpace().catch(() => -1) : -1;
  return { volume, bytes };
}
