// On SQLite alone: what takes long is worker threads' work, and triggers.test.ts asks both what is queued and started.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { it } from 'node:test';
import { pushBranch } from '../pulls/pushing.ts';
import { testServer } from '../support/server.ts';
import { cloned } from '../transport/work-tree.ts';
import { JOB, runsOf } from './files.ts';

const t = await testServer();
const alice = await t.user('alice');
const path = '/repos/alice/demo';
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });

const workflow = (file: string, on: string) => ({ [`.gitea/workflows/${file}.yml`]: `on:\n  ${on}\n${JOB}` });

it('a push keeps nobody waiting by filters that take long', async () => {
  await t.settled();
  const tree = await cloned(t, alice, path.slice('/repos/'.length));
  // Each pattern takes a good part of a second over a path of 4,000 characters.
  const patterns = JSON.stringify(Array.from({ length: 500 }, (_, at) => `${'**/'.repeat(320)}x${at}`));
  const long = (at: number) => Array.from({ length: 16 }, () => 'a'.repeat(220)).join('/') + at;
  const files = {
    ...workflow('quick', 'push:'),
    ...Object.fromEntries([0, 1, 2].map((at) => [long(at), 'a'])),
  };
  await pushBranch(tree, 'topic/one', files);
  await t.settled();
  assert.deepEqual(await runsOf(alice, path), ['quick.yml@refs/heads/topic/one push queued']);
  await pushBranch(tree, 'topic/two', { ...workflow('slow', `push:\n    paths: ${patterns}`), [long(4)]: 'a' });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  await t.settled();
  delays.disable();
  assert.ok(delays.max / 1e6 < 5000, `the server stood still for ${delays.max / 1e6} ms`);
  assert.deepEqual(await t.context.db.selectFrom('action_events').selectAll().execute(), []);
  assert.deepEqual(await runsOf(alice, path), ['quick.yml@refs/heads/topic/one push queued']);
});
