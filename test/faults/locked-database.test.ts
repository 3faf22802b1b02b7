// On SQLite alone: PostgreSQL has no lock on the whole database.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testServer } from '../support/server.ts';

/** A server that waits so many milliseconds for a lock, and what another process does with its database. */
async function withOther(busyTimeout: number) {
  const t = await testServer({ database: { busyTimeout } });
  const other = new DatabaseSync(join(t.folder, 'data', 'copse.db'));
  after(() => other.close());
  return { alice: await t.user('alice'), other };
}

// The response of one request has to come within the first time, and the end of a short lock within the second.
const [hasty, patient] = [await withOther(2000), await withOther(60_000)];

it('keeps answering while another process has the database locked, and refuses changes with a reason', async () => {
  const { alice, other } = hasty;
  other.exec('begin immediate');
  let isOver = false;
  const writing = alice.post('/user/repos', { name: 'late' }).finally(() => {
    isOver = true;
  });
  let responses = 0;
  while (!isOver) {
    assert.equal((await alice.get('/version')).status, 200);
    assert.equal((await alice.get('/repos/search')).status, 200);
    if (!isOver) responses++;
    await sleep(5);
  }
  const refused = await writing;
  assert.equal(refused.status, 503);
  assert.match(refused.json.message, /in use by another process/);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.ok(responses > 0, 'responses during the lock');
  other.exec('rollback');
  await alice.must('POST', '/user/repos', { name: 'late' });
});

it('makes a change once a short lock has ended', async () => {
  const { alice, other } = patient;
  other.exec('begin immediate');
  const writing = alice.post('/user/repos', { name: 'patient' });
  await sleep(50);
  other.exec('commit');
  assert.equal((await writing).status, 201);
});
