import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const PARTITION = 4_000_001;
const TABLES = ['jobs', 'event_deliveries', 'webhooks'] as const;

const t = await testServer();
const alice = await t.user('alice');
await t.settled();
const { db, processes, wakeUps } = t.context;
const { events, jobs } = t.server.services;

/** Lets the queues look for work while the database does not do what they want. */
async function interrupted(): Promise<void> {
  for (const table of TABLES) await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(db);
  wakeUps.wakeHere('events');
  await Promise.all([jobs.settled(), events.settled()]);
  for (const table of TABLES) await sql`alter table ${sql.table(`${table}_away`)} rename to ${sql.table(table)}`.execute(db);
}

it('what a process has taken and does not know of is given back after an interruption of the database', async () => {
  const job = { type: 'attachments.remove', queue: 'default', payload: '{"uuids":[]}', key: null, due_at: 1, created_at: 1 } as const;
  const { id: jobId } = await db
    .insertInto('jobs')
    .values({ ...job, process_id: processes.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('event_leases').values({ partition: PARTITION, process_id: processes.id }).execute();
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' };
  const hook = await alice.must('POST', '/user/hooks', { type: 'gitea', config, events: ['push'], active: true });
  await db.updateTable('webhooks').set({ process_id: processes.id }).where('id', '=', hook.id).execute();
  const held = async () => [
    (await db.selectFrom('jobs').select('id').where('id', '=', jobId).where('process_id', '=', processes.id).execute()).length,
    (await db.selectFrom('event_leases').select('partition').where('partition', '=', PARTITION).execute()).length,
    (await db.selectFrom('webhooks').select('id').where('id', '=', hook.id).where('process_id', 'is not', null).execute()).length,
  ];
  assert.deepEqual(await held(), [1, 1, 1]);
  await interrupted();
  await eventually(async () => {
    wakeUps.wakeHere('events');
    await Promise.all([jobs.settled(), events.settled()]);
    return (await held()).every((count) => count === 0);
  }, 'the release');
});
