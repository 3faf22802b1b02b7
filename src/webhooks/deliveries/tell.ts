import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { now } from '../../clock.ts';
import { textMatcher } from '../../code/protections/patterns.ts';
import { afterCommit, type Context, inTransaction } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { Tables } from '../../database/tables.ts';
import { type DeliveredEvent, isWanted } from './events.ts';

/** Something to tell. */
export interface News {
  event: DeliveredEvent;
  /** The whole name of the ref that it is about: hooks can be for certain branches alone. */
  ref?: string;
  /** A push without commits is news for programs, not for people in a chat. */
  isEmptyPush?: boolean;
  /** Called when somebody is to be told. */
  payload: () => Promise<object>;
}

/** What caused the news: each part of an event is told once, however often the event is handed on. */
export interface Cause {
  /** The id of the event; null for what is told on request. */
  eventId: number | null;
  part?: number;
}

const BRANCHES = 'refs/heads/';
/** Characters of a payload; GitHub has the same bound. */
const MAX_PAYLOAD = 25 * 1024 * 1024;
/** What may wait for one receiver; it is told of nothing more until it has caught up. */
const MAX_WAITING = 1000;
/** Seconds that something waits before it is looked how much does. */
const PATIENCE = 60;

/** The active hooks that are told of what happens in a repository: its own, its owner's, and those of the instance. */
export async function audienceOf(
  { db, settings }: Context,
  { repositoryId, ownerId }: { repositoryId: number | null; ownerId: number },
): Promise<Webhook[]> {
  if (!settings.webhooks.enabled) return [];
  // Each by an index of its own, which one query for all would not use.
  const active = () => db.selectFrom('webhooks').selectAll().where('is_active', '=', true);
  const found = [
    ...(repositoryId === null ? [] : await active().where('repository_id', '=', repositoryId).execute()),
    ...(await active().where('owner_id', '=', ownerId).execute()),
    ...(await active().where('repository_id', 'is', null).where('owner_id', 'is', null).where('is_system', '=', true).execute()),
  ];
  return found.sort((a, b) => a.id - b.id);
}

/** Queues news for those of the hooks that want to be told. */
export async function tell(context: Context, hooks: readonly Webhook[], cause: Cause, news: News): Promise<void> {
  const wanted = hooks.filter((hook) => isWanted(hook, news.event) && isForBranch(hook, news.ref) && isFit(hook, news));
  const following = await keepingUp(context, wanted);
  if (following.length === 0) return;
  const payload = JSON.stringify(await news.payload(), null, 2);
  if (payload.length > MAX_PAYLOAD) {
    context.log.warn({ event: news.event, size: payload.length }, 'news are too large for webhooks');
    return;
  }
  const time = now();
  const { eventId, part = 0 } = cause;
  await inTransaction(context, async (context) => {
    const { db } = context;
    await db
      .insertInto('webhook_deliveries')
      .values(
        following.map(({ id }) => {
          const row = { webhook_id: id, event_id: eventId, part, uuid: randomUUID() };
          return { ...row, event: news.event, payload, due_at: time, created_at: time };
        }),
      )
      .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id', 'part']).where('event_id', 'is not', null).doNothing())
      .execute();
    const ids = following.map(({ id }) => id);
    await db
      .updateTable('webhooks')
      .set({ due_at: earlier(time) })
      .where('id', 'in', ids)
      .execute();
    afterCommit(context, () => context.wakeUps.wake('webhooks'));
  });
}

/** Those of the hooks whose receivers are not hopelessly behind. */
async function keepingUp({ db, log }: Context, hooks: readonly Webhook[]): Promise<Webhook[]> {
  const following: Webhook[] = [];
  for (const hook of hooks) {
    const isBehind = hook.due_at !== null && hook.due_at < now() - PATIENCE;
    const tooMany = isBehind
      ? await db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', hook.id)
          .where('state', '=', 'waiting')
          .orderBy('due_at')
          .offset(MAX_WAITING - 1)
          .limit(1)
          .executeTakeFirst()
      : undefined;
    if (tooMany) log.warn({ hook: hook.id }, 'a webhook is too far behind to be told of anything more');
    else following.push(hook);
  }
  return following;
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

function isFit({ type }: Webhook, { event, isEmptyPush = false }: News): boolean {
  if (type === 'gitea' || type === 'gogs') return true;
  return !isEmptyPush && (type !== 'packagist' || event === 'push');
}
