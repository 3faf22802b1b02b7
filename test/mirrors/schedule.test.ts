import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { now } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { enqueueAllDue, nextAfterFailure, nextAfterSuccess } from '../../src/mirrors/schedule.ts';
import { codeRepository } from '../code/repository.ts';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from './servers.ts';

const { t, bob, alice, source, urlOf } = await servers({ mirrors: { perHost: 1 } });
const demo = await codeRepository(t, bob, 'demo', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
const PATH = `${demo.path}/push_mirrors`;
const { db } = t.context;

/** Push mirrors as rows alone, due for a while. */
async function dueMirrors(host: string, count: number, columns: { next_at?: number | null; repository_id?: number } = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    repository_id: demo.row.id,
    remote_name: `remote_mirror_${host}_${index}`,
    remote_url: `https://${host}/x.git`,
    remote_host: host,
    interval: 3600,
    next_at: now() - 1000 + index,
    created_at: now(),
    ...columns,
  }));
  await db.insertInto('push_mirrors').values(rows).execute();
}

/** The hosts of what the regular task puts into the queue, in this order. */
async function enqueued(settings = t.context.settings): Promise<string[]> {
  const ids: number[] = [];
  const jobs = { add: async (_: Context, __: string, { mirrorId }: { mirrorId: number }) => ids.push(mirrorId) };
  await enqueueAllDue({ ...t.context, settings, jobs: jobs as unknown as Context['jobs'] });
  const rows = await db.selectFrom('push_mirrors').select(['id', 'remote_host']).execute();
  return ids.map((id) => rows.find((row) => row.id === id)?.remote_host ?? '');
}

describe('the schedule of mirrors', () => {
  it('takes the hosts in turn, and a few of each', async () => {
    await dueMirrors('many.example', 1000);
    await dueMirrors('few.example', 2, { next_at: now() - 1 });
    await dueMirrors('later.example', 1, { next_at: now() + 1000 });
    await dueMirrors('never.example', 1, { next_at: null });
    const hosts = await enqueued();
    assert.equal(hosts.filter((host) => host === 'many.example').length, 16);
    assert.deepEqual([...hosts].splice(0, 4).sort(), ['few.example', 'few.example', 'many.example', 'many.example']);
    assert.equal(hosts.length, 18);
    assert.deepEqual(await enqueued({ ...t.context.settings, mirrors: { ...t.context.settings.mirrors, enabled: false } }), []);
    await bob.must('PATCH', demo.path, { archived: true });
    assert.deepEqual(await enqueued(), []);
    await bob.must('PATCH', demo.path, { archived: false });
    await db.deleteFrom('push_mirrors').execute();
  });

  it('waits longer with each failure', () => {
    const waits = [1, 2, 3, 30].map((failures) => (nextAfterFailure(8 * 3600, failures) ?? 0) - now());
    for (const [index, [least, most]] of [
      [600, 661],
      [1200, 1321],
      [2400, 2641],
      [86_400, 86_761],
    ].entries())
      assert.ok((waits[index] ?? 0) >= (least ?? 0) - 1 && (waits[index] ?? 0) <= (most ?? 0) + 1, `${waits[index]}`);
    assert.equal(nextAfterFailure(0, 1), null);
    assert.equal(nextAfterSuccess(0), null);
  });

  it('gives a host so many transfers at once; others do not wait for it, and one can be cancelled', async () => {
    const requests: string[] = [];
    const hanging = createServer((request) => void requests.push(String(request.url)));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    afterwards(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    await source('target', []);
    const slow = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const fast = urlOf('target').replace('127.0.0.1', 'localhost');
    const signIn = { remote_username: 'alice', remote_password: alice.password };
    for (const address of [`${slow}/one`, `${slow}/two`, fast])
      await bob.must('POST', PATH, { remote_address: address, interval: '8h', ...signIn });
    await bob.must('POST', `${demo.path}/push_mirrors-sync`);
    const lastUpdates = async () =>
      ((await bob.must('GET', PATH)) as { remote_address: string; last_update: string }[])
        .filter(({ last_update }) => last_update !== '1970-01-01T00:00:00Z')
        .map(({ remote_address }) => remote_address);
    await eventually(async () => (await lastUpdates()).includes(fast) && requests.length > 0, 'the mirror of the other host');
    assert.deepEqual(await lastUpdates(), [fast]);
    assert.deepEqual([...new Set(requests.map((path) => path.split('/')[1]))].length, 1);
    const running = await db
      .selectFrom('jobs')
      .select('id')
      .where('type', '=', 'push-mirror.sync')
      .where('process_id', 'is not', null)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('jobs').where('process_id', 'is', null).execute();
    assert.equal(await t.context.jobs.cancel(t.context, running.id), true);
    await t.settled();
    assert.deepEqual(await lastUpdates(), [fast]);
  });
});
