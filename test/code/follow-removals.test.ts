// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maintainRepository } from '../../src/code/maintenance.ts';
import { subjects } from '../../src/processes/subjects.ts';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const t = await testServer();
const alice = await t.user('alice');
const { pool } = t.context.git;
const { signal } = new AbortController();
const files = { a: 'x'.repeat(5000) };

describe('git processes that are kept for many requests', () => {
  it('make way when the packs of their repository were replaced, by whichever process', async () => {
    const { row, path } = await codeRepository(t, alice, 'one', [{ label: 'x', files }]);
    const other = await codeRepository(t, alice, 'other', [{ label: 'x', files }]);
    // Loose objects are read without git.
    for (const { id } of [row, other.row]) await maintainRepository({ repositoryId: id, full: true }, t.context, { signal });
    await pool.forgetAll();
    for (const each of [path, other.path]) assert.equal((await alice.get(`${each}/contents/a`)).status, 200);
    const before = pool.processes.size;
    assert.ok(before >= 2);
    const process = t.context.settings.database.url ? await anotherProcess(t.context) : t.context;
    await eventually(() => {
      process.wakeUps.notify([subjects.issue(row.id)]);
      process.wakeUps.notify([subjects.packs(row.id)]);
      return pool.processes.size < before;
    }, 'the end of the process');
    assert.ok(pool.processes.size > 0, 'that of another repository stays');
    assert.equal((await alice.get(`${path}/contents/a`)).status, 200);
  });

  it('are told of it by the maintenance that replaces packs', async () => {
    const { row } = await codeRepository(t, alice, 'packed', [{ label: 'x', files }]);
    const told: string[] = [];
    afterwards(t.context.wakeUps.onNotify((subject) => told.push(subject)));
    await maintainRepository({ repositoryId: row.id, full: true }, t.context, { signal });
    assert.deepEqual(told, [subjects.packs(row.id)]);
  });
});
