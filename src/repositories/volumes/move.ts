import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, inTransaction } from '../../context.ts';
import type { CopyProgress, LinkedFiles } from '../../git/copy-folder.ts';
import { RepositoryCopy } from './copy.ts';
import { finishMove } from './finish.ts';
import { MoveError, unconfirmed } from './steps.ts';

/** How long a repository is locked at most to wait for its writers, in milliseconds; after a pause there is another attempt. */
const LOCK_WAIT_MS = 15_000;
const MAX_ATTEMPTS = 10;
/** After so many seconds a job deletes the former folder, if it still exists. */
const FINISH_DELAY = 60;

interface MoveOptions {
  readonly to: string;
  /** Files that the repositories of a network share. */
  readonly links: LinkedFiles;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/**
 * Moves a repository and its wiki to another volume while servers run. Both are copied and checked; then writes are locked for a moment, the
 * difference is copied, and one transaction changes the row. An interrupted move continues when it is called again.
 * {@link finishMove} has to follow; otherwise a job does it later.
 * @throws MoveError
 */
export async function moveRepository(context: Context, id: number, { to, links, onProgress }: MoveOptions): Promise<void> {
  const { git, settings } = context;
  const claim = await claimMove(context, id, to);
  if (!claim) return;
  const [from, target] = [await git.volumes.requireAvailable(claim.from), await git.volumes.requireAvailable(to)];
  const options = { links, timeoutMs: settings.git.maintenanceTimeout, ...(onProgress && { onProgress }) };
  const copies = [`${id}.git`, `${id}.wiki.git`].map((name) => new RepositoryCopy(from, target, name, options));
  try {
    for (const copy of copies) await copy.begin(claim.isResumed);
    for (const copy of copies) await copy.prepare();
    await switchOver(context, id, claim.from, to, copies);
  } catch (error) {
    await giveUp(context, id, copies);
    throw error;
  }
}

/** Returns undefined when it is there already. */
async function claimMove(context: Context, id: number, to: string): Promise<{ from: string; isResumed: boolean } | undefined> {
  const { db, processes, git } = context;
  const earlier = await db.selectFrom('repository_moves').selectAll().where('repository_id', '=', id).executeTakeFirst();
  if (earlier?.phase === 'moved' && !(await finishMove(context, id)))
    throw new MoveError(`the repository ${id} was moved before, and its former folder is still read: try again later`);
  const other = earlier?.process_id;
  if (other && other !== processes.id && (await processes.isAlive(other)))
    throw new MoveError(`the repository ${id} is being moved to the volume ${earlier.to_volume} by the process ${other}`);
  const row = await db.selectFrom('repositories').select(['volume', 'state']).where('id', '=', id).executeTakeFirst();
  if (row?.state !== 'ready') throw new MoveError(`the repository ${id} is not there any more, or not yet`);
  if (earlier && earlier.phase !== 'moved' && earlier.to_volume !== to && earlier.to_volume !== row.volume) {
    const [from, abandoned] = [git.volumes.get(row.volume), await git.volumes.requireAvailable(earlier.to_volume)];
    for (const name of [`${id}.git`, `${id}.wiki.git`]) {
      const copy = new RepositoryCopy(from, abandoned, name, { links: new Map(), timeoutMs: 0 });
      await copy.begin(true);
      await copy.discard();
    }
  }
  const claimed = await claimRow(context, id, row.volume, to, other ?? null);
  if (!claimed) throw new MoveError(`the repository ${id} is being moved by another process`);
  if (row.volume !== to) return { from: row.volume, isResumed: earlier !== undefined && earlier.phase !== 'moved' };
  await db.deleteFrom('repository_moves').where('repository_id', '=', id).execute();
  return undefined;
}

async function claimRow({ db, processes }: Context, id: number, from: string, to: string, before: number | null): Promise<boolean> {
  const claim = { from_volume: from, to_volume: to, phase: 'copying' as const, process_id: processes.id };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('repository_moves')
    .values({ repository_id: id, ...claim })
    .onConflict((conflict) =>
      conflict
        .column('repository_id')
        .doUpdateSet((row) => ({ ...claim, step: row('repository_moves.step', '+', 1) }))
        .where((where) =>
          where.or([
            where('repository_moves.process_id', 'is', null),
            where('repository_moves.process_id', '=', processes.id),
            ...(before === null ? [] : [where('repository_moves.process_id', '=', before)]),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Locks the repository, synchronizes the copies and changes the row. */
async function switchOver(context: Context, id: number, from: string, to: string, copies: readonly RepositoryCopy[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const step = await setPhase(context, id, 'locked');
    const late = await unconfirmed(context, { repository_id: id, step }, LOCK_WAIT_MS);
    if (late.length === 0) break;
    await setPhase(context, id, 'copying');
    if (attempt === MAX_ATTEMPTS) {
      const names = late.map(({ id, host, pid }) => `${id} on ${host} (pid ${pid})`).join(', ');
      throw new MoveError(`the repository ${id} is written to all the time, or these processes do not know the volumes: ${names}`);
    }
    await sleep(attempt * 1000);
    for (const copy of copies) await copy.prepare();
  }
  for (const copy of copies) await copy.finish();
  await inTransaction(context, async (context) => {
    const { db, processes } = context;
    const row = await db
      .updateTable('repositories')
      .set({ volume: to })
      .where('id', '=', id)
      .where('volume', '=', from)
      .where('state', '=', 'ready')
      .executeTakeFirst();
    const move = await db
      .updateTable('repository_moves')
      .set((row) => ({ phase: 'moved', step: row('step', '+', 1) }))
      .where('repository_id', '=', id)
      .where('process_id', '=', processes.id)
      .where('phase', '=', 'locked')
      .executeTakeFirst();
    // This process was considered dead meanwhile, and writers have continued; or the repository was deleted.
    if (row.numUpdatedRows !== 1n || move.numUpdatedRows !== 1n) throw new MoveError(`the move of the repository ${id} was overtaken`);
    await context.jobs.add(context, 'repository.finish-move', { repositoryId: id }, { key: String(id), delay: FINISH_DELAY });
  });
  context.wakeUps.wake('moves');
}

/** @throws MoveError when another process has taken over */
async function setPhase(context: Context, id: number, phase: 'copying' | 'locked'): Promise<number> {
  const row = await context.db
    .updateTable('repository_moves')
    .set((row) => ({ phase, step: row('step', '+', 1) }))
    .where('repository_id', '=', id)
    .where('process_id', '=', context.processes.id)
    .returning('step')
    .executeTakeFirst();
  if (!row) throw new MoveError(`the move of the repository ${id} was overtaken`);
  context.wakeUps.wake('moves');
  return row.step;
}

/** Unlocks writes, and deletes the copies, unless the row names them after all. */
async function giveUp(context: Context, id: number, copies: readonly RepositoryCopy[]): Promise<void> {
  const { db, processes } = context;
  const gone = await db
    .deleteFrom('repository_moves')
    .where('repository_id', '=', id)
    .where('process_id', '=', processes.id)
    .where('phase', '!=', 'moved')
    .executeTakeFirst();
  context.wakeUps.wake('moves');
  if (gone.numDeletedRows === 1n) for (const copy of copies) await copy.discard();
}
