import { now } from '../clock.ts';
import type { Database, Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';

/** Jobs that may not remove anything now are tried again after so many seconds. */
export const HELD_SECONDS = 30;

const anyBackup = prepared((db) => db.selectFrom('backups').select('id').limit(1));

/**
 * Whether a backup is being made: then nothing is removed that the database named when it began. What removes something deletes the row
 * first and asks afterwards, so a backup that begins after the question does not have the row.
 */
export async function isCleanupHeld(db: Db): Promise<boolean> {
  return (await anyBackup(db)).length > 0;
}

/** So many are written down without asking first. */
const FEW_MOVES = 100;

const insertMoves = prepared((db, repositoryId: number, updates: string) =>
  db
    .insertInto('backup_ref_moves')
    .columns(['repository_id', 'updates'])
    .expression(
      db
        .selectNoFrom(({ val }) => [val(repositoryId).as('repository_id'), val(updates).as('updates')])
        .where(({ exists, selectFrom }) => exists(selectFrom('backups').select('id'))),
    ),
);

/** Notes that refs have moved, in the transaction that records it, if a backup is being made. */
export async function noteRefMoves(db: Db, repositoryId: number, updates: readonly RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  // To write down many takes long, and most of the time nobody would read it.
  if (updates.length > FEW_MOVES && !(await isCleanupHeld(db))) return;
  await insertMoves(db, repositoryId, JSON.stringify(updates));
}

/** A backup that is being made. It ends with its process, too. */
export class CleanupHold {
  readonly #database: Database;
  readonly #id: number;
  private constructor(database: Database, id: number) {
    this.#database = database;
    this.#id = id;
  }

  /** Holds back all removal from now on. */
  static async take(database: Database, processId: number): Promise<CleanupHold> {
    const { db } = database;
    const row = { process_id: processId, started_at: now() };
    const { id } = await db.insertInto('backups').values(row).returning('id').executeTakeFirstOrThrow();
    return new CleanupHold(database, id);
  }

  /** Whether it was held all the time: not if this process was considered dead. */
  async isHeld(): Promise<boolean> {
    const { db } = this.#database;
    return (await db.selectFrom('backups').select('id').where('id', '=', this.#id).executeTakeFirst()) !== undefined;
  }

  async release(): Promise<void> {
    const { db } = this.#database;
    await db.deleteFrom('backups').where('id', '=', this.#id).execute();
  }
}
