import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { now } from '../../clock.ts';
import { afterCommit, type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { Tables } from '../../database/tables.ts';
import type { Completion } from './completion.ts';
import { type DeliveredEvent, isWanted } from './events.ts';
import { hooksForRef } from './for-ref.ts';
import { enqueueForWorkflows, type WorkflowReceiver } from './workflows.ts';

/** An event that is to be delivered to hooks. */
export interface NewDelivery {
  event: DeliveredEvent;
  /** The full name of the ref: hooks can be for certain branches only. */
  ref?: string;
  /** The additions to the payload directly before it is sent, because they are read from git. */
  completion?: Completion;
  /**
   * Called if a hook wants the event.
   * @param viewer for whom a pull request is shown; the actor when left out
   */
  payload: (viewer?: User) => Promise<object>;
}

/** The receivers of an event. */
export interface Receivers {
  readonly hooks: readonly Webhook[];
  readonly workflows?: WorkflowReceiver | undefined;
}

/** The error recorded for a delivery beyond the limits. */
const FULL = 'not sent: too many deliveries are waiting for this webhook';
/** Characters of a payload; GitHub has the same bound. */
export const MAX_PAYLOAD = 25 * 1024 * 1024;

const activeHook = (db: Db) => db.selectFrom('webhooks').selectAll().where('is_active', '=', true);
const ofInstance = (db: Db) =>
  activeHook(db).where('repository_id', 'is', null).where('owner_id', 'is', null).where('is_system', '=', true);

/** Each by an index of its own, which one condition for all would not use. */
const hooksOf = prepared((db, repositoryId: number) => {
  const owner = db.selectFrom('repositories').select('owner_id').where('id', '=', repositoryId);
  return activeHook(db)
    .where('owner_id', '=', owner)
    .unionAll(ofInstance(db))
    .unionAll(activeHook(db).where('repository_id', '=', repositoryId));
});
const hooksOfOwner = prepared((db, ownerId: number) => activeHook(db).where('owner_id', '=', ownerId).unionAll(ofInstance(db)));
const hooksOfBoth = prepared((db, ownerId: number, repositoryId: number) =>
  activeHook(db)
    .where('owner_id', '=', ownerId)
    .unionAll(ofInstance(db))
    .unionAll(activeHook(db).where('repository_id', '=', repositoryId)),
);

/** The active hooks that get the events of a repository: its own, its owner's, and those of the instance. */
export async function activeHooks({ db, settings }: Context, of: { repositoryId: number | null; ownerId?: number }): Promise<Webhook[]> {
  if (!settings.webhooks.enabled) return [];
  return (await findHooks(db, of)).sort((a, b) => a.id - b.id);
}

function findHooks(db: Db, { repositoryId, ownerId }: { repositoryId: number | null; ownerId?: number }): Promise<Webhook[]> {
  if (repositoryId === null) return hooksOfOwner(db, ownerId ?? 0);
  return ownerId === undefined ? hooksOf(db, repositoryId) : hooksOfBoth(db, ownerId, repositoryId);
}

/**
 * Enqueues a delivery for each of the hooks that wants the event, in the context's transaction. What exceeds the bound of what
 * waits for a hook is recorded as a failed delivery.
 */
export async function enqueueDeliveries(context: Context, { hooks, workflows }: Receivers, delivery: NewDelivery): Promise<void> {
  if (workflows) await enqueueForWorkflows(context, workflows, delivery.event, delivery);
  const possible = hooks.filter((hook) => isWanted(hook, delivery.event) && isFit(hook, delivery));
  const wanted = await hooksForRef(context, possible, delivery.ref);
  if (wanted.length === 0) return;
  const payload = JSON.stringify(await delivery.payload(), null, 2);
  if (payload.length > MAX_PAYLOAD) {
    context.log.warn({ event: delivery.event, size: payload.length }, 'a payload is too large for webhooks');
    return;
  }
  const size = Buffer.byteLength(payload);
  const time = now();
  const full = fullFor(context, hooks, wanted, size);
  const completion = delivery.completion ? JSON.stringify(delivery.completion) : null;
  const common = { event: delivery.event, due_at: time, created_at: time };
  const rows = wanted.map((hook) => {
    const row = { ...common, webhook_id: hook.id, uuid: randomUUID() };
    if (!full.has(hook)) return { ...row, payload, completion, size };
    context.log.warn({ hook: hook.id, event: delivery.event }, 'a delivery was dropped: too much is waiting for its webhook');
    return { ...row, payload: '', state: 'failed' as const, answer: FULL, finished_at: time };
  });
  const following = wanted.filter((hook) => !full.has(hook)).map(({ id }) => id);
  await inTransaction(context, async (context) => {
    await context.db.insertInto('webhook_deliveries').values(rows).execute();
    await noteWaiting(context, following, { size, time });
  });
}

/** How many times what may wait for one hook may wait for all hooks of a repository, an owner or the instance. */
const HOOKS_THAT_MAY_BE_FULL = 4;

/** The hooks for which too much waits, by themselves or together with others of their repository or owner: each has a copy of the payload. */
function fullFor(context: Context, hooks: readonly Webhook[], wanted: readonly Webhook[], size: number): ReadonlySet<Webhook> {
  const placeOf = ({ repository_id: repositoryId, owner_id: ownerId }: Webhook) => `${repositoryId} ${ownerId}`;
  const waiting = new Map<string, number>();
  for (const hook of hooks) waiting.set(placeOf(hook), (waiting.get(placeOf(hook)) ?? 0) + hook.waiting_bytes);
  const most = HOOKS_THAT_MAY_BE_FULL * context.settings.webhooks.maxWaiting;
  const full = wanted.filter((hook) => {
    const together = (waiting.get(placeOf(hook)) ?? 0) + size;
    if (together > most || isFullFor(context, hook, size)) return true;
    waiting.set(placeOf(hook), together);
    return false;
  });
  return new Set(full);
}

/** Whether too much waits for a hook for a delivery of this size to be added. */
export function isFullFor({ settings }: Pick<Context, 'settings'>, { waiting_bytes: waiting }: Webhook, size: number): boolean {
  return waiting + size > settings.webhooks.maxWaiting;
}

/** Says in the transaction that adds a delivery to each of the hooks that it waits for them. */
export async function noteWaiting(
  context: Context,
  hookIds: readonly number[],
  { size, time }: { size: number; time: number },
): Promise<void> {
  if (hookIds.length === 0) return;
  await context.db
    .updateTable('webhooks')
    .set((hook) => ({ due_at: earlier(time)(hook), waiting_bytes: hook('waiting_bytes', '+', size) }))
    .where('id', 'in', hookIds)
    .execute();
  afterCommit(context, () => context.wakeUps.wake('webhooks'));
}

function earlier(time: number) {
  return (where: ExpressionBuilder<Tables, 'webhooks'>) =>
    where
      .case()
      .when('due_at', '<', time)
      .then(where.ref('due_at'))
      .else(sql<number>`${sql.lit(time)}`)
      .end();
}

function isFit({ type }: Webhook, { event }: NewDelivery): boolean {
  return type !== 'packagist' || event === 'push';
}
