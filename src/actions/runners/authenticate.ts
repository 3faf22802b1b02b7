import { timingSafeEqual } from 'node:crypto';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { refusal } from '../protocol/errors.ts';
import { hashOf } from './registration-tokens.ts';

/** How exactly the times of a runner are kept, in seconds: a runner that waits for jobs calls every two. */
const ONLINE_STEP = 15;
const ACTIVE_STEP = 3;

const byUuid = prepared((db, uuid: string) => db.selectFrom('action_runners').selectAll().where('uuid', '=', uuid));

/**
 * The runner with these credentials; that it is there is noted.
 * @param options.isWork it reports on a job
 * @throws ConnectError unauthenticated
 */
export async function authenticateRunner(
  { db }: Context,
  { uuid, token, isWork }: { uuid: string; token: string; isWork: boolean },
): Promise<ActionRunner> {
  const [runner] = uuid.length === 36 && !uuid.includes('\0') ? await byUuid(db, uuid) : [];
  if (!runner || !isSame(runner.token_hash, hashOf(token))) throw refusal('Unauthenticated', 'unregistered runner');
  const time = now();
  const isStale = time - runner.last_online_at >= ONLINE_STEP || (isWork && time - runner.last_active_at >= ACTIVE_STEP);
  if (isStale) {
    const times = { last_online_at: time, ...(isWork && { last_active_at: time }) };
    await db.updateTable('action_runners').set(times).where('id', '=', runner.id).execute();
  }
  return runner;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
