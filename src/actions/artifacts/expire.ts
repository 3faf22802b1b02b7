import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { lockRuns } from '../jobs/lock.ts';
import { PARTS_PREFIX } from './parts.ts';
import { ARTIFACTS_PREFIX } from './upload.ts';

const BATCH = 100;
/** Complete, or being replaced by a new upload. */
const HAS_CONTENT = sql<boolean>`(status = 'confirmed' or (status = 'pending' and storage_key <> ''))`;
/** An upload counts as abandoned after so many seconds: no task takes that long. */
const ABANDONED = 7 * 86_400;

/** Deletes the bytes of expired artifacts, of abandoned uploads, and those that a crash has left. */
export async function expireArtifacts(context: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const expired = await context.db
      .selectFrom('action_artifacts')
      .select(['id', 'repository_id'])
      .where(HAS_CONTENT)
      .where('expires_at', '<=', now())
      .orderBy('expires_at')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const artifact of expired) await expireArtifact(context, artifact);
    if (expired.length < BATCH) break;
  }
  await removeLeft(context, signal);
}

async function expireArtifact(context: Context, { id, repository_id }: { id: number; repository_id: number }): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockRuns(context, repository_id);
    // It may have been uploaded again since.
    const found = await db
      .selectFrom('action_artifacts')
      .select('storage_key')
      .where('id', '=', id)
      .where(HAS_CONTENT)
      .where('expires_at', '<=', now())
      .executeTakeFirst();
    if (!found) return;
    await db.updateTable('action_artifacts').set({ status: 'expired', storage_key: '' }).where('id', '=', id).execute();
    await context.jobs.add(context, 'actions.remove-files', { keys: [found.storage_key] });
  });
}

async function removeLeft({ db, storage }: Context, signal: AbortSignal): Promise<void> {
  const before = now() - ABANDONED;
  for await (const { key, modified } of storage.list(PARTS_PREFIX)) {
    if (signal.aborted) return;
    if (modified < before) await storage.delete(key);
  }
  let keys: string[] = [];
  const removeUnused = async () => {
    const ids = keys.map(idOf);
    const rows = keys.length === 0 ? [] : await db.selectFrom('action_artifacts').select('storage_key').where('id', 'in', ids).execute();
    const used = new Set(rows.map((row) => row.storage_key));
    for (const key of keys) if (!used.has(key)) await storage.delete(key);
    keys = [];
  };
  for await (const { key, modified } of storage.list(ARTIFACTS_PREFIX)) {
    if (signal.aborted) return;
    if (modified < before) keys.push(key);
    if (keys.length === BATCH) await removeUnused();
  }
  await removeUnused();
}

/** The id of the artifact that a storage key was made for. */
function idOf(key: string): number {
  return Number(/\/(\d+)-[0-9a-f]+$/.exec(key)?.[1] ?? 0);
}
