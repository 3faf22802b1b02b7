import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Volume } from '../../git/volumes.ts';
import { finishMove } from '../volumes/finish.ts';
import type { Finding } from './finding.ts';

/** How long to wait for readers of a former folder, in milliseconds. */
const READERS_MS = 10_000;

interface Elsewhere {
  readonly volume: Volume;
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** A folder of a repository whose row names another volume. */
export async function* otherVolume(
  context: Context,
  row: { id: number; volume: string },
  { volume, path, remove }: Elsewhere,
): AsyncGenerator<Finding> {
  const { db, git, processes } = context;
  const own = git.volumes.has(row.volume) ? git.volumes.get(row.volume) : undefined;
  const move = await db.selectFrom('repository_moves').selectAll().where('repository_id', '=', row.id).executeTakeFirst();
  if (move?.phase === 'moved') {
    const fix = async () => {
      await finishMove(context, row.id, READERS_MS);
    };
    yield { text: `${path} is what the repository ${row.id} left when it was moved to the volume ${row.volume}`, fix };
  } else if (move) {
    if (move.process_id !== null && (await processes.isAlive(move.process_id))) return;
    yield {
      text: `${path}: the move of the repository ${row.id} to the volume ${move.to_volume} was interrupted, run copse repository move again`,
    };
  } else if (path.endsWith('.moving')) {
    yield { text: `${path} was left by a move of the repository ${row.id}`, fix: remove };
  } else if (own && basename(path) === `${row.id}.git` && !existsSync(join(own.folderOf(basename(path)), 'HEAD'))) {
    const fix = async () => {
      await db.updateTable('repositories').set({ volume: volume.name }).where('id', '=', row.id).execute();
    };
    yield { text: `the repository ${row.id} lies on the volume ${volume.name}, not on ${row.volume}`, fix };
  } else {
    yield {
      text: `${path} is a second folder of the repository ${row.id}, which lies on the volume ${row.volume}`,
      fix: remove,
      removes: true,
    };
  }
}
