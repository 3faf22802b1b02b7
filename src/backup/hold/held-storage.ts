import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { isCleanupHeld } from '../../processes/cleanup-hold.ts';
import type { BlobInfo, ExpectedBlob, LinkedResponse, ListedBlob, Storage } from '../../storage/storage.ts';

/** Kinds that no backup has: they are made again, or belong to uploads that have not ended. */
const TRANSIENT = ['archives/', 'action-artifact-parts/'];
/** Kinds whose keys can be reused: those of images are derived from the image, those of logs from the task. */
const REPEATED = ['avatars/', 'repo-avatars/', 'action-logs/'];

const BATCH = 100;
const PAUSE_MS = 50;

const begins = (key: string, prefixes: readonly string[]) => prefixes.some((prefix) => key.startsWith(prefix));

/** Whether a backup has blobs of this key. */
export function isBackedUp(key: string): boolean {
  return !begins(key, TRANSIENT);
}

/** A storage that retains blobs deleted during a backup until it has ended. */
export class HeldStorage implements Storage {
  readonly #storage: Storage;
  readonly #database: Database;
  constructor(storage: Storage, database: Database) {
    this.#storage = storage;
    this.#database = database;
  }

  async put(key: string, content: Readable | Uint8Array, expected?: ExpectedBlob): Promise<BlobInfo> {
    if (begins(key, REPEATED)) await this.#keep(key);
    return await this.#storage.put(key, content, expected);
  }

  async delete(key: string): Promise<void> {
    const { db } = this.#database;
    if (!isBackedUp(key) || !(await isCleanupHeld(db))) return await this.#storage.delete(key);
    await db
      .insertInto('held_blobs')
      .values({ key, process_id: null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }

  get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    return this.#storage.get(key, range);
  }

  info(key: string): Promise<BlobInfo | undefined> {
    return this.#storage.info(key);
  }

  async copy(from: string, to: string): Promise<BlobInfo | undefined> {
    if (begins(to, REPEATED)) await this.#keep(to);
    return await this.#storage.copy(from, to);
  }

  list(prefix: string): AsyncIterable<ListedBlob> {
    return this.#storage.list(prefix);
  }

  link(key: string, response: LinkedResponse): Promise<string | undefined> {
    return this.#storage.link(key, response);
  }

  removeUnfinished(seconds: number): Promise<void> {
    return this.#storage.removeUnfinished(seconds);
  }

  /** Deletes blobs that were held for backups that have ended. */
  async removeHeld(processId: number): Promise<void> {
    const { db } = this.#database;
    while (!(await isCleanupHeld(db))) {
      const waiting = db.selectFrom('held_blobs').select('key').where('process_id', 'is', null).limit(BATCH);
      // Claimed first: storing a blob with the same key waits until the old one is deleted.
      const claim = db.updateTable('held_blobs').set({ process_id: processId }).where('process_id', 'is', null);
      const claimed = await claim.where('key', 'in', waiting).returning('key').execute();
      if (claimed.length === 0) return;
      for (const { key } of claimed) {
        await this.#storage.delete(key);
        await db.deleteFrom('held_blobs').where('key', '=', key).execute();
      }
    }
  }

  /** The blob of this key is not to be removed any more. */
  async #keep(key: string): Promise<void> {
    const { db } = this.#database;
    for (;;) {
      const row = await db.selectFrom('held_blobs').select('process_id').where('key', '=', key).executeTakeFirst();
      if (!row) return;
      if (row.process_id === null) await db.deleteFrom('held_blobs').where('key', '=', key).where('process_id', 'is', null).execute();
      else await sleep(PAUSE_MS);
    }
  }
}
