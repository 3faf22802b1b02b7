import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resetRegistrationToken } from '../../src/actions/runners/registration-tokens.ts';
import { now } from '../../src/clock.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'other' });
await alice.must('POST', '/orgs', { username: 'team' });
const LEVELS: [string, Client][] = [
  ['/repos/alice/demo', alice],
  ['/orgs/team', alice],
  ['/user', alice],
  ['/admin', t.admin],
];
const call = (method: string, json: object, headers: Record<string, string> = {}) =>
  t.anonymous.send('POST', `//api/actions/runner.v1.RunnerService/${method}`, { json, headers });
const tokenOf = async (place: string, client: Client): Promise<string> =>
  (await client.must('POST', `${place}/actions/runners/registration-token`)).token;
const register = async (place: string, client: Client, more: object = {}) =>
  (await call('Register', { name: 'one', token: await tokenOf(place, client), labels: ['linux'], ...more })).json.runner;
const credentials = (runner: { uuid: string; token: string }) => ({ 'x-runner-uuid': runner.uuid, 'x-runner-token': runner.token });

describe('registration tokens', () => {
  it('stay the same, by POST and by GET, until they are reset', async () => {
    for (const [place, client] of LEVELS) {
      const token = await tokenOf(place, client);
      assert.match(token, /^[A-Za-z0-9]{40}$/);
      assert.equal(await tokenOf(place, client), token);
      const older = place === '/admin' ? '/admin/runners/registration-token' : `${place}/actions/runners/registration-token`;
      assert.equal((await client.must('GET', older)).token, token);
    }
    const before = await tokenOf('/admin', t.admin);
    const after = await resetRegistrationToken(t.context, { instance: true });
    assert.equal(await tokenOf('/admin', t.admin), after);
    const refused = await call('Register', { name: 'late', token: before });
    assert.deepEqual([refused.status, refused.json.code], [401, 'unauthenticated']);
  });

  it('are not in the database as they are', async () => {
    const tokens = await Promise.all(LEVELS.map(([place, client]) => tokenOf(place, client)));
    const rows = JSON.stringify(await t.context.db.selectFrom('action_runner_tokens').selectAll().execute());
    for (const token of tokens) assert.ok(!rows.includes(token));
  });
});

describe('runners', () => {
  it('register, are listed, disabled and removed alike at each level', async () => {
    for (const [place, client] of LEVELS) {
      const { id, uuid, token } = await register(place, client, { labels: ['linux', 'gpu:host'], ephemeral: true, version: 'v1' });
      assert.match(`${uuid} ${token}`, /^[0-9a-f-]{36} [0-9a-f]{40}$/);
      const path = `${place}/actions/runners`;
      const { runners, total_count: total } = await client.must('GET', path);
      assert.equal(total, runners.length);
      const [found] = runners.filter((runner: { id: number }) => String(runner.id) === id);
      const labels = ['linux', 'gpu:host'].map((name, number) => ({ id: number, name, type: 'custom' }));
      assert.deepEqual(found, { id: Number(id), name: 'one', status: 'offline', busy: false, disabled: false, ephemeral: true, labels });
      assert.equal((await client.patch(`${path}/${id}`, { disabled: true })).json.disabled, true);
      for (const [disabled, count] of [
        ['true', 1],
        ['false', 0],
      ])
        assert.equal((await client.must('GET', `${path}?disabled=${disabled}`)).total_count, count);
      assert.equal((await client.delete(`${path}/${id}`)).status, 204);
      assert.equal((await client.get(`${path}/${id}`)).status, 404);
      assert.equal((await call('Declare', {}, credentials({ uuid, token }))).status, 401);
    }
  });

  it('are found by an administrator, and otherwise only where they belong', async () => {
    const { id } = await register('/repos/alice/demo', alice);
    assert.equal((await t.admin.get(`/admin/actions/runners/${id}`)).status, 200);
    for (const place of ['/repos/alice/other', '/orgs/team', '/user']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const { status } = await alice.send(
          method,
          `${place}/actions/runners/${id}`,
          method === 'PATCH' ? { json: { disabled: true } } : {},
        );
        assert.equal(status, 404, `${method} ${place}`);
      }
    }
    assert.equal((await alice.patch(`/repos/alice/demo/actions/runners/${id}`, {})).json.message, '[Disabled]: Required');
    await alice.must('DELETE', `/repos/alice/demo/actions/runners/${id}`);
  });

  it('are online for a minute after a call, and busy for ten seconds after a report', async () => {
    const runner = await register('/user', alice);
    const state = async () => {
      const { status, busy } = await alice.must('GET', `/user/actions/runners/${runner.id}`);
      return `${status} ${busy}`;
    };
    const heard = (online: number, active: number) =>
      t.context.db
        .updateTable('action_runners')
        .set({ last_online_at: now() - online, last_active_at: now() - active })
        .where('id', '=', Number(runner.id))
        .execute();
    const declared = await call('Declare', { version: 'v2', labels: ['arm64'] }, credentials(runner));
    assert.deepEqual([declared.json.runner.labels, declared.json.runner.token], [['arm64'], undefined]);
    assert.equal(await state(), 'online false');
    await heard(20, 5);
    assert.equal(await state(), 'online true');
    await heard(20, 30);
    assert.equal(await state(), 'online false');
    await heard(90, 90);
    assert.equal(await state(), 'offline false');
  });

  it('are refused with other credentials, and what is too much or no message', async () => {
    const runner = await register('/user', alice);
    const other = await register('/user', alice);
    for (const headers of [{}, { ...credentials(runner), 'x-runner-token': other.token }, credentials({ uuid: 'x', token: runner.token })])
      assert.deepEqual((await call('Declare', {}, headers)).json, { code: 'unauthenticated', message: 'unregistered runner' });
    for (const message of [{ name: 'x' }, { token: await tokenOf('/user', alice) }])
      assert.equal((await call('Register', message)).json.code, 'invalid_argument');
    const labels = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length));
    for (const [count, length] of [
      [201, 1],
      [1, 256],
    ] as const)
      assert.equal((await call('Declare', { labels: labels(count, length) }, credentials(runner))).status, 400);
    const raw = (body: Uint8Array | string, type: string, more: Record<string, string> = {}) =>
      t.anonymous.send('POST', '//api/actions/runner.v1.RunnerService/Declare', {
        raw: body,
        type,
        headers: { ...credentials(runner), ...more },
      });
    assert.equal((await raw('{', 'application/json')).status, 400);
    assert.equal((await raw(`[${'{},'.repeat(2000)}{}]`, 'application/json')).status, 429);
    assert.equal((await raw(Buffer.from('1200'.repeat(2000), 'hex'), 'application/proto')).status, 429);
    for (const hex of ['12ffffffffff', 'ff', '12', '0b'])
      assert.equal((await raw(Buffer.from(hex, 'hex'), 'application/proto')).status, 400, hex);
    assert.equal((await raw('x'.repeat(70_000), 'application/json')).status, 413);
    assert.equal((await raw('no gzip', 'application/json', { 'content-encoding': 'gzip' })).status, 400);
    assert.equal((await raw('', 'text/plain')).status, 415);
    const name = await call('Register', { name: `${'n'.repeat(300)}\0`, token: await tokenOf('/user', alice) });
    assert.equal([...name.json.runner.name].length, 255);
  });
});
