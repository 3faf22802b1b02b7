import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProcessRegistry } from '../../src/processes/registry.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { database, processes, log } = t.server.services;
const open = (role: 'server' | 'command', heartbeat = 50) => ProcessRegistry.open(database, { role, version: '1', log, heartbeat });
const rows = () => database.db.selectFrom('processes').selectAll().orderBy('id').execute();
const leave = (id: number) => database.db.updateTable('processes').set({ heartbeat_at: 1 }).where('id', '=', id).execute();

describe('the registry of processes', () => {
  it('has this process for as long as it runs', async () => {
    const command = await open('command');
    assert.ok(command.id > processes.id);
    assert.equal(await processes.isAlive(command.id), true);
    const row = (await rows()).find(({ id }) => id === command.id);
    assert.equal(row?.pid, process.pid);
    assert.ok(Math.abs((row?.heartbeat_at ?? 0) - Date.now()) < 60_000);
    await command.close();
    assert.equal(await processes.isAlive(command.id), false);
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      [processes.id],
    );
  });

  it('considers a process without a heartbeat dead, and reports that its locks are released', async () => {
    const { id } = await database.db
      .insertInto('processes')
      .values({ role: 'command', host: 'elsewhere', pid: 1, version: '1', started_at: 1, heartbeat_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    assert.equal(await processes.isAlive(id), false);
    const server = await open('server');
    let released = false;
    server.onReleased(() => {
      released = true;
    });
    await eventually(() => released);
    await server.close();
    assert.deepEqual(
      (await rows()).filter((row) => row.id === id),
      [],
    );
  });

  it('registers a process again that was wrongly considered dead', async () => {
    const command = await open('command');
    await leave(command.id);
    await eventually(async () => await processes.isAlive(command.id));
    await database.db.deleteFrom('processes').where('id', '=', command.id).execute();
    await eventually(async () => await processes.isAlive(command.id));
    assert.equal(command.isCurrent, true);
    await command.close();
  });

  it('lets go of earlier servers at once where only one can serve', async () => {
    // Its next heartbeat would register it again.
    const earlier = await open('server', 60_000);
    const later = await open('server');
    assert.equal(await later.isAlive(earlier.id), database.dialect === 'postgres');
    for (const registry of [later, earlier]) await registry.close();
  });
});
