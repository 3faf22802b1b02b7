import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { Notifications } from '../../src/database/notifications.ts';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { recordedLog } from '../support/recorded-log.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db, settings } = t.context;
const { url } = settings.database;

it('a lost connection for notifications is logged with its error, and opened again', { skip: !url && 'PostgreSQL' }, async () => {
  const { log, lines } = recordedLog();
  const messages: string[] = [];
  let connections = 0;
  const notifications = new Notifications({
    url: url ?? '',
    log,
    onMessage: (message) => messages.push(message),
    onConnected: () => connections++,
  });
  afterwards(() => notifications.close());
  await eventually(() => connections === 1, 'the connection');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen copse' and pid <> pg_backend_pid()`.execute(db);
  await eventually(() => connections === 2, 'another connection');
  const [lost] = lines.filter(({ msg }) => msg === 'the connection for notifications is lost');
  assert.equal(lost?.level, 'warn');
  assert.match(JSON.stringify(lost.err), /terminating connection/);
  await sql`select pg_notify('copse', 'jobs')`.execute(db);
  await eventually(() => messages.includes('jobs'), 'the message');
});
