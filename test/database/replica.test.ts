// On SQLite alone: it starts a PostgreSQL of its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { NO_CLUSTER, postgresWithReplica } from '../support/postgres-cluster.ts';
import { type TestServer, testServer } from '../support/server.ts';

const skip = NO_CLUSTER || false;
const cluster = skip ? undefined : await postgresWithReplica();
if (cluster) afterwards(cluster.remove);

/** How many requests there were of each outcome. */
function outcomes({ server }: TestServer): Record<string, number> {
  const samples = server.services.metrics.snapshot().filter(({ name }) => name === 'copse_replica_requests_total');
  return Object.fromEntries(samples.map(({ labels, value }) => [/"(\w+)"/.exec(labels)?.[1] ?? '', value]));
}

const t = await testServer(cluster && { database: { url: cluster.primary.url, replicaUrl: cluster.replica.url, replicaWait: 200 } });
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });

describe('reads from a replica', { skip }, () => {
  /** Creates an issue; returns whether a stranger finds it at once, in a list and by its number. */
  const writeAndRead = async (title: string) => {
    const { number } = await alice.must('POST', '/repos/alice/demo/issues', { title });
    const [one, list, search] = await Promise.all([
      t.anonymous.get(`/repos/alice/demo/issues/${number}`),
      t.anonymous.get('/repos/alice/demo/issues?limit=1'),
      t.anonymous.get('/repos/issues/search?limit=1'),
    ]);
    assert.deepEqual([one.json.title, list.json[0].title, search.json[0].title], [title, title, title]);
  };

  it('see every change that was acknowledged before, by every caller', async () => {
    const before = outcomes(t);
    for (let n = 0; n < 8; n++) await writeAndRead(`issue ${n}`);
    const after = outcomes(t);
    assert.ok((after.replica ?? 0) > (before.replica ?? 0) + 8, JSON.stringify(after));
  });

  it('see what follows a change, and what they have written themselves', async () => {
    await alice.must('POST', '/repos/alice/demo/issues', { title: 'in the feed' });
    const feed = await alice.must('GET', '/users/alice/activities/feeds?limit=1');
    assert.match(feed[0].content, /in the feed/);
    assert.equal((await alice.get('/repos/alice/demo/archive/main.zip')).status, 200);
    assert.equal((await alice.get('/users/alice/heatmap')).status, 200);
  });

  it('see a right that was taken away', async () => {
    const bob = await t.user('bob');
    await alice.must('PATCH', '/repos/alice/demo', { private: true });
    assert.equal((await bob.get('/repos/alice/demo/issues')).status, 404);
    assert.deepEqual((await bob.get('/repos/issues/search')).json, []);
    await alice.must('PATCH', '/repos/alice/demo', { private: false });
  });

  it('go to the primary while the replica is behind', async () => {
    await cluster?.replica.configure("recovery_min_apply_delay = '1h'");
    await eventually(async () => {
      await writeAndRead('late');
      return (outcomes(t).behind ?? 0) > 0;
    }, 'a replica that is behind');
    const { replica: used } = outcomes(t);
    for (let n = 0; n < 5; n++) await writeAndRead(`behind ${n}`);
    assert.equal(outcomes(t).replica, used);
    await cluster?.replica.configure('recovery_min_apply_delay = 0');
    await eventually(async () => {
      await writeAndRead('again');
      return outcomes(t).replica !== used;
    }, 'the replica to be used again');
  });

  it('go to the primary while the replica is away', async () => {
    await cluster?.replica.stop();
    for (let n = 0; n < 5; n++) await writeAndRead(`away ${n}`);
    const { replica: used, away } = outcomes(t);
    assert.ok((away ?? 0) > 0);
    await cluster?.replica.start();
    await eventually(async () => {
      await writeAndRead('back');
      return outcomes(t).replica !== used;
    }, 'the replica to be used again');
  });
});
