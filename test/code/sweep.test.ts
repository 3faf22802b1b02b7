import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { lastLockOfOthers, sweepAfterProcesses } from '../../src/code/sweep.ts';
import { RepositoryWriters } from '../../src/git/writers.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';

const t = await testServer();
const alice = await t.user('alice');
const { services } = t.server;

it('what a younger process has left is removed: at once the locks of refs, which would refuse every push', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const { row, folder } = await onServer(t, 'alice', 'demo');
  const { volumes } = services.git;
  // This process has been running for an hour.
  Object.assign(volumes, { startedAt: Date.now() - 3_600_000 });
  const other = await anotherProcess(t.context);
  await new RepositoryWriters(volumes.default.path, other.processes.id).note(`${row.id}.git`);
  const seconds = Date.now() / 1000;
  const leave = (name: string, age: number) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, seconds - age, seconds - age);
    return path;
  };
  const left = [leave('refs/heads/main.lock', 10), leave('packed-refs.lock', 10)];
  const kept = [leave('refs/heads/young.lock', 0), leave('objects/pack/tmp_pack_x', 10)];

  await kill(other);
  await sweepAfterProcesses(services);
  assert.deepEqual(
    [left.map(existsSync), kept.map(existsSync)],
    [
      [false, false],
      [true, true],
    ],
  );
  await alice.must('POST', '/repos/alice/demo/contents/new.txt', { content: '', branch: 'main' });
});

it('locks that this process may hold are not of others', async () => {
  const { gate } = services.git;
  const age = (id: number) => Date.now() - lastLockOfOthers(services, id);
  assert.ok(age(1) >= 5000 && age(1) < 60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const writing = gate.run(1, () => promise);
  const since = gate.busySince(1) ?? 0;
  await gate.run(1, async () => {});
  assert.equal(gate.busySince(1), since);
  assert.equal(lastLockOfOthers(services, 1), since - 5000);
  resolve();
  await writing;
  assert.equal(gate.busySince(1), undefined);
});
