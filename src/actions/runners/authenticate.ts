import { timingSafeEqual } from 'node:crypto';
import { isImportedHash } from '../../accounts/tokens/imported-hash.ts';
import { now } from '../../clock.ts';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { refusal } from '../protocol/errors.ts';
import { hashOf } from './registration-tokens.ts';

/** The precision of a runner's times, in seconds: a waiting runner calls every two seconds. */
const ONLINE_STEP = 15;
const ACTIVE_STEP = 3;

/** Gitea's hashes take long to check. */
const checking = new Semaphore({ permits: 2, maxWaiting: 200, maxWaitingPerKey: 10, waitTimeoutMs: 10_000 });

const byUuid = prepared((db, uuid: string) => db.selectFrom('action_runners').selectAll().where('uuid', '=', uuid));

/**
 * The runner with these credentials; records that it is online.
 * @param options.isWork it reports on a job
 * @throws ProcedureError unauthenticated
 */
export async function authenticateRunner(
  { db }: Context,
  { uuid, token, isWork }: { uuid: string; token: string; isWork: boolean },
): Promise<ActionRunner> {
  const [runner] = uuid.length === 36 && !uuid.includes('\0') ? await byUuid(db, uuid) : [];
  if (!runner || !(await hasToken(db, runner, token))) throw refusal('Unauthenticated', 'unregistered runner');
  const time = now();
  const isStale = time - runner.last_online_at >= ONLINE_STEP || (isWork && time - runner.last_active_at >= ACTIVE_STEP);
  if (isStale) {
    const times = { last_online_at: time, ...(isWork && { last_active_at: time }) };
    await db.updateTable('action_runners').set(times).where('id', '=', runner.id).execute();
  }
  return runner;
}

/** An imported token is stored with our own kind of hash from now on, so that it is slow only once. */
async function hasToken(db: Db, runner: ActionRunner, token: string): Promise<boolean> {
  if (runner.imported_salt === '') return isSame(runner.token_hash, hashOf(token));
  const { id, token_hash: hash, imported_salt: salt } = runner;
  if (!(await checking.run(runner.uuid, () => isImportedHash(token, hash, salt)))) return false;
  await db
    .updateTable('action_runners')
    .set({ token_hash: hashOf(token), imported_salt: '' })
    .where('id', '=', id)
    .where('imported_salt', '=', salt)
    .execute();
  return true;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
