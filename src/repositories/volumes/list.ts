import type { Context } from '../../context.ts';

/** A volume and its statistics. */
export interface VolumeStatus {
  readonly name: string;
  readonly path: string;
  readonly isAvailable: boolean;
  readonly isClosed: boolean;
  /** Bytes; undefined if it is unavailable. */
  readonly freeBytes: number | undefined;
  readonly repositories: number;
  /** Repositories that are being moved to it. */
  readonly arriving: number;
}

/** Every volume, in the order of the settings. */
export async function listVolumes({ db, git }: Context): Promise<VolumeStatus[]> {
  const counts = await db
    .selectFrom('repositories')
    .select((select) => ['volume', select.fn.countAll<number>().as('count')])
    .groupBy('volume')
    .execute();
  const moves = await db
    .selectFrom('repository_moves')
    .select((select) => ['to_volume', select.fn.countAll<number>().as('count')])
    .where('phase', '!=', 'moved')
    .groupBy('to_volume')
    .execute();
  return await Promise.all(
    git.volumes.all.map(async (volume) => {
      const isAvailable = await volume.check();
      return {
        name: volume.name,
        path: volume.path,
        isAvailable,
        isClosed: volume.isClosed,
        freeBytes: isAvailable ? await volume.freeSpace() : undefined,
        repositories: Number(counts.find((row) => row.volume === volume.name)?.count ?? 0),
        arriving: Number(moves.find((row) => row.to_volume === volume.name)?.count ?? 0),
      };
    }),
  );
}
