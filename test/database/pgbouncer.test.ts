import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { startPooler } from '../cluster/support/pooler.ts';
import { afterwards } from '../support/afterwards.ts';
import { emptyDatabase } from '../support/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess } from '../support/processes.ts';
import { testServer } from '../support/server.ts';

const direct = await emptyDatabase();
const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
const skip = direct === undefined ? 'PostgreSQL' : !isInstalled && 'needs PgBouncer';

const behind = skip || direct === undefined ? undefined : await started(direct);

/** A server whose database is reached through PgBouncer. */
async function started(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'copse-pgbouncer-'));
  // It runs as another user where this one is root.
  await chmod(folder, 0o755);
  afterwards(() => rm(folder, { recursive: true, force: true }));
  const pooler = await startPooler(url, folder);
  afterwards(() => pooler.close());
  const t = await testServer({ database: { url: pooler.url, directUrl: url } });
  return { t, alice: await t.user('alice') };
}

describe('a server behind PgBouncer in transaction mode', { skip }, () => {
  if (!behind || direct === undefined) return;
  const { t, alice } = behind;

  it('takes changes at the same time, and handles what follows from them', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => alice.must('POST', '/user/repos', { name, auto_init: true })));
    await Promise.all(Array.from({ length: 8 }, (_, n) => alice.must('POST', '/repos/alice/one/issues', { title: `Issue ${n}` })));
    const issues = await alice.must('GET', '/repos/alice/one/issues');
    assert.deepEqual(
      issues.map(({ number }: { number: number }) => number),
      [8, 7, 6, 5, 4, 3, 2, 1],
    );
    await t.settled();
    assert.equal((await alice.must('GET', '/users/alice/activities/feeds')).length, names.length + 8);
  });

  it('undoes what fails, and keeps nothing of it for the next on that connection', async () => {
    const fail = inTransaction(t.context, async ({ db }) => {
      await db.deleteFrom('issues').execute();
      throw new Error('no');
    });
    await assert.rejects(fail, /no/);
    assert.equal((await alice.must('GET', '/repos/alice/one/issues')).length, 8);
  });

  it('is woken over the connection beside it', async () => {
    const other = await anotherProcess({
      ...t.context,
      settings: { ...t.context.settings, database: { ...t.context.settings.database, url: direct } },
    });
    let woken = 0;
    afterwards(t.context.wakeUps.on('tasks', () => woken++));
    await eventually(() => {
      other.wakeUps.wakeOthers('tasks');
      return woken > 0;
    }, 'a wake-up');
  });
});
