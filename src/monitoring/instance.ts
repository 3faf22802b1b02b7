import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { MetricName } from '../metrics/names.ts';
import { labelValue, type Sample } from '../metrics/text.ts';

/** How old the numbers of queues may be, in milliseconds. */
const QUEUES_MS = 5000;
/** The same of rows that are many: counting them reads all. */
const ROWS_MS = 300_000;
const ONLINE_SECONDS = 60;
const HOUR_SECONDS = 3600;
/** More are not counted. */
const MAX_COUNT = 100_000;

/** Numbers of the whole instance, read from the database at most so often for all callers. */
export class InstanceNumbers {
  readonly #rows = new Remembered(ROWS_MS, countRows);
  readonly #queues = new Remembered(QUEUES_MS, readQueues);

  async samples(context: Context): Promise<Sample[]> {
    return [...(await this.#rows.get(context)), ...(await this.#queues.get(context))];
  }
}

class Remembered {
  readonly #lifetime: number;
  readonly #read: (context: Context) => Promise<Sample[]>;
  #value: Promise<Sample[]> | undefined;
  #since = 0;

  constructor(lifetime: number, read: (context: Context) => Promise<Sample[]>) {
    this.#lifetime = lifetime;
    this.#read = read;
  }

  get(context: Context): Promise<Sample[]> {
    if (this.#value && performance.now() - this.#since < this.#lifetime) return this.#value;
    this.#since = performance.now();
    const value = this.#read(context);
    this.#value = value;
    value.catch(() => {
      this.#value = undefined;
    });
    return value;
  }
}

const sample = (name: MetricName, value: unknown, labels = ''): Sample => ({ name, labels, value: Number(value ?? 0) });

async function countRows({ db }: Context): Promise<Sample[]> {
  const count = async (table: 'users' | 'repositories') =>
    (
      await db
        .selectFrom(table)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count;
  return [sample('copse_users', await count('users')), sample('copse_repositories', await count('repositories'))];
}

async function readQueues(context: Context): Promise<Sample[]> {
  return (
    await Promise.all([jobs(context), events(context), webhooks(context), automation(context), processes(context), backups(context)])
  ).flat();
}

async function jobs({ db }: Context): Promise<Sample[]> {
  const time = now();
  const rows = await db
    .selectFrom('jobs')
    .select((select) => [
      'queue',
      select.fn.sum<number>(sql`case when process_id is null then 1 else 0 end`).as('waiting'),
      select.fn.sum<number>(sql`case when process_id is null then 0 else 1 end`).as('running'),
      select.fn.sum<number>(sql`case when process_id is null and error <> '' then 1 else 0 end`).as('failing'),
      select.fn.min<number | null>(sql`case when process_id is null and due_at <= ${time} then due_at end`).as('oldest'),
    ])
    .groupBy('queue')
    .orderBy('queue')
    .execute();
  return rows.flatMap(({ queue, waiting, running, failing, oldest }) => {
    const labels = `queue="${labelValue(queue)}"`;
    return [
      sample('copse_jobs_waiting', waiting, labels),
      sample('copse_jobs_running', running, labels),
      sample('copse_jobs_failing', failing, labels),
      sample('copse_jobs_oldest_seconds', oldest === null ? 0 : time - oldest, labels),
    ];
  });
}

async function events({ db }: Context): Promise<Sample[]> {
  const some = db.selectFrom('event_deliveries').select('due_at').limit(MAX_COUNT).as('some');
  const { count } = await db
    .selectFrom(some)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const oldest = await db
    .selectFrom('event_deliveries')
    .innerJoin('events', 'events.id', 'event_deliveries.event_id')
    .select('events.created_at')
    .orderBy('event_deliveries.event_id')
    .limit(1)
    .executeTakeFirst();
  return [sample('copse_events_waiting', count), sample('copse_events_oldest_seconds', oldest ? now() - oldest.created_at : 0)];
}

async function webhooks({ db }: Context): Promise<Sample[]> {
  const count = async (state: 'waiting' | 'failed') => {
    let some = db.selectFrom('webhook_deliveries').select('id').where('state', '=', state);
    if (state === 'failed') some = some.where('finished_at', '>', now() - HOUR_SECONDS);
    const { count } = await db
      .selectFrom(some.limit(MAX_COUNT).as('some'))
      .select((select) => select.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };
  return [
    sample('copse_webhook_deliveries_waiting', await count('waiting')),
    sample('copse_webhook_deliveries_failed', await count('failed')),
  ];
}

async function automation({ db }: Context): Promise<Sample[]> {
  const states = await db
    .selectFrom('action_jobs')
    .select((select) => ['status', select.fn.countAll().as('count')])
    .where('status', 'in', ['waiting', 'blocked', 'running'])
    .groupBy('status')
    .orderBy('status')
    .execute();
  const { count } = await db
    .selectFrom('action_runners')
    .select((select) => select.fn.countAll().as('count'))
    .where('last_online_at', '>=', now() - ONLINE_SECONDS)
    .executeTakeFirstOrThrow();
  return [
    ...states.map((row) => sample('copse_action_jobs', row.count, `status="${row.status}"`)),
    sample('copse_action_runners_online', count),
  ];
}

async function backups({ db }: Context): Promise<Sample[]> {
  const last = await db.selectFrom('made_backups').selectAll().orderBy('moment', 'desc').limit(1).executeTakeFirst();
  if (!last) return [];
  return [
    sample('copse_backup_last_success_timestamp_seconds', last.moment),
    sample('copse_backup_last_duration_seconds', last.ended_at - last.moment),
    sample('copse_backup_last_bytes', last.bytes),
  ];
}

async function processes({ db, processes: registry }: Context): Promise<Sample[]> {
  const living = await registry.list();
  const roles = Map.groupBy(living, ({ role }) => role);
  const age = await registry.oldestHeartbeat();
  const failed = await db.selectFrom('cron_tasks').select('name').where('error', '!=', '').orderBy('name').execute();
  return [
    ...[...roles].map(([role, { length }]) => sample('copse_processes', length, `role="${role}"`)),
    sample('copse_process_heartbeat_age_seconds', age / 1000),
    ...failed.map(({ name }) => sample('copse_tasks_failed', 1, `name="${labelValue(name)}"`)),
  ];
}
