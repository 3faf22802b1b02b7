import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { now } from '../../clock.ts';
import { textMatcher } from '../../code/protections/patterns.ts';
import { afterCommit, type Context, inTransaction } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { Tables } from '../../database/tables.ts';
import type { Completion } from './completion.ts';
import { type DeliveredEvent, isWanted } from './events.ts';

/** Something to tell. */
export interface News {
  event: DeliveredEvent;
  /** The whole name of the ref that it is about: hooks can be for certain branches alone. */
  ref?: string;
  /** What is put into the payload right before it is sent, because git has to be asked for it. */
  completion?: Completion;
  /** Called when somebody is to be told. */
  payload: () => Promise<object>;
}

const BRANCHES = 'refs/heads/';
/** What is remembered of a delivery that found no room. */
const FULL = 'not sent: too much is waiting for this webhook already';
/** Characters of a payload; GitHub has the same bound. */
export const MAX_PAYLOAD = 25 * 1024 * 1024;
/** The active hooks that are told of what happens in a repository: its own, its owner's, and those of the instance. */
export async function activeHooks(
  { db, settings }: Context,
  { repositoryId, ownerId }: { repositoryId: number | null; ownerId?: number },
): Promise<Webhook[]> {
  if (!settings.webhooks.enabled) return [];
  // Each by an index of its own, which one condition for all would not use.
  const active = db.selectFrom('webhooks').selectAll().where('is_active', '=', true);
  const owner = ownerId ?? db.selectFrom('repositories').select('owner_id').where('id', '=', repositoryId);
  const found = await active
    .where('owner_id', '=', owner)
    .unionAll(active.where('repository_id', 'is', null).where('owner_id', 'is', null).where('is_system', '=', true))
    .$if(repositoryId !== null, (query) => query.unionAll(active.where('repository_id', '=', repositoryId)))
    .execute();
  return found.sort((a, b) => a.id - b.id);
}

/**
 * Queues news for those of the hooks that want to be told, as part of the context's transaction. What does not fit any more into what
 * may wait for a hook is remembered as a delivery that failed.
 */
export async function tell(context: Context, hooks: readonly Webhook[], news: News): Promise<void> {
  const wanted = hooks.filter((hook) => isWanted(hook, news.event) && isForBranch(hook, news.ref) && isFit(hook, news));
  if (wanted.length === 0) return;
  const payload = JSON.stringify(await news.payload(), null, 2);
  if (payload.length > MAX_PAYLOAD) {
    context.log.warn({ event: news.event, size: payload.length }, 'news are too large for webhooks');
    return;
  }
  const size = Buffer.byteLength(payload);
  const time = now();
  const isFull = ({ waiting_bytes: waiting }: Webhook) => waiting + size > context.settings.webhooks.maxWaiting;
  const completion = news.completion ? JSON.stringify(news.completion) : null;
  const common = { event: news.event, due_at: time, created_at: time };
  const rows = wanted.map((hook) => {
    const row = { ...common, webhook_id: hook.id, uuid: randomUUID() };
    if (!isFull(hook)) return { ...row, payload, completion, size };
    context.log.warn({ hook: hook.id, event: news.event }, 'a webhook has as much waiting as may wait, and is not told of more');
    return { ...row, payload: '', state: 'failed' as const, answer: FULL, finished_at: time };
  });
  const following = wanted.filter((hook) => !isFull(hook)).map(({ id }) => id);
  await inTransaction(context, async (context) => {
    const { db } = context;
    await db.insertInto('webhook_deliveries').values(rows).execute();
    if (following.length === 0) return;
    await db
      .updateTable('webhooks')
      .set((hook) => ({ due_at: earlier(time)(hook), waiting_bytes: hook('waiting_bytes', '+', size) }))
      .where('id', 'in', following)
      .execute();
    afterCommit(context, () => context.wakeUps.wake('webhooks'));
  });
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

/** A pattern stands for names of branches, or for whole names of refs. */
function isForBranch({ branch_filter: filter }: Webhook, ref: string | undefined): boolean {
  if (ref === undefined || filter === '') return true;
  const matches = textMatcher(filter);
  return (ref.startsWith(BRANCHES) && matches(ref.slice(BRANCHES.length))) || matches(ref);
}

function isFit({ type }: Webhook, { event }: News): boolean {
  return type !== 'packagist' || event === 'push';
}
