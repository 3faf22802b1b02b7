// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listProcesses } from '../../src/admin/processes/processes.ts';
import { ProcessRegistry } from '../../src/processes/registry.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { database, processes, log } = t.server.services;

describe('the processes of the instance', () => {
  it('are listed for administrators, with what each is doing', async () => {
    const command = await ProcessRegistry.open(database, { role: 'command', version: '9.8.7', log, heartbeat: 20 });
    const { id } = await database.db
      .insertInto('jobs')
      .values({
        type: 'test.job',
        payload: '{}',
        key: null,
        running_key: null,
        due_at: 1,
        created_at: 1,
        process_id: command.id,
        started_at: 1_700_000_000,
        progress: JSON.stringify({ text: 'copying', done: 3, total: 8 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await eventually(async () => (await listProcesses(t.context)).some((row) => row.id === command.id && row.load !== null));
    const response = await t.admin.get('/admin/processes');
    assert.equal(response.status, 200);
    const rows = response.json as {
      id: number;
      role: string;
      version: string;
      cpu: number | null;
      memory: number | null;
      jobs: unknown[];
    }[];
    assert.deepEqual(
      rows.map((row) => [row.id, row.role]),
      [
        [processes.id, 'server'],
        [command.id, 'command'],
      ],
    );
    const [, listed] = rows;
    assert.equal(listed?.version, '9.8.7');
    assert.ok((listed.memory ?? 0) > 1e6 && listed.cpu !== null);
    assert.deepEqual(listed.jobs, [{ type: 'test.job', started: '2023-11-14T22:13:20Z', attempt: 0, progress: 'copying: 3 of 8' }]);
    await database.db.deleteFrom('jobs').where('id', '=', id).execute();
    await command.close();
    const [page] = (await t.admin.must('GET', '/admin/processes?limit=1')) as unknown[];
    assert.ok(page);
    assert.equal((await (await t.user('bob')).get('/admin/processes')).status, 403);
  });

  it('are ready until they drain', async () => {
    const ready = async () => (await t.admin.get('//api/readyz')).status;
    assert.equal(await ready(), 200);
    processes.startDraining();
    assert.equal(await ready(), 503);
    assert.equal((await t.admin.get('//api/healthz')).status, 200);
    await eventually(async () => (await listProcesses(t.context))[0]?.is_draining === true);
    await t.restart();
    assert.equal(await ready(), 200);
  });
});
