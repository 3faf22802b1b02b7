// On SQLite alone: what the queries select is plain, and triggers.test.ts runs the task on both.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startDue } from '../../src/actions/schedules/start-due.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { JOB } from './files.ts';

const t = await testServer();
const content = Buffer.from(`on:\n  schedule:\n    - cron: '0 0 * * *'\n${JOB}`).toString('base64');

async function scheduled(name: string): Promise<Client> {
  const client = await t.user(name);
  await client.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  await client.must('POST', `/repos/${name}/demo/contents/.gitea/workflows/daily.yml`, { content, branch: 'main' });
  return client;
}

const runs = async (client: Client, name: string) =>
  (await client.must('GET', `/repos/${name}/demo/actions/runs?event=schedule`)).total_count;

it('workflows that take long to start do not delay those of others at their times', async () => {
  const slow = await scheduled('slow');
  await t.settled();
  const due = () => t.context.db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
  const { signal } = new AbortController();
  await due();
  await startDue(t.context, signal, { slowMs: 0 });
  assert.equal(await runs(slow, 'slow'), 1);
  const quick = await scheduled('quick');
  await t.settled();
  await due();
  await startDue(t.context, signal, { lastMs: 0 });
  assert.deepEqual([await runs(slow, 'slow'), await runs(quick, 'quick')], [1, 1]);
  await startDue(t.context, signal);
  assert.deepEqual([await runs(slow, 'slow'), await runs(quick, 'quick')], [2, 1]);
});

it('those of one repository are limited in number', async () => {
  const many = await t.user('many');
  await many.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const text = `on:\n  schedule:\n${"    - cron: '0 0 1 1 *'\n".repeat(50)}${JOB}`;
  const files = Array.from({ length: 11 }, (_, at) => ({
    operation: 'create',
    path: `.gitea/workflows/${at + 10}.yml`,
    content: Buffer.from(text).toString('base64'),
  }));
  await many.must('POST', '/repos/many/demo/contents', { files, branch: 'main' });
  await t.settled();
  const { db } = t.context;
  const { id } = await many.must('GET', '/repos/many/demo');
  const specs = await db.selectFrom('action_schedule_specs').select('spec').where('repository_id', '=', id).execute();
  assert.equal(specs.length, 500);
});
