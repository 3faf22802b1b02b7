import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { now } from '../../src/clock.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { packageTeams, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const RULES = '/packages/alice/cleanup-rules';
const DAY = 24 * 60 * 60;

const versions = async () =>
  (await alice.get('/packages/alice')).json.map(({ name, version }: Record<string, string>) => `${name} ${version}`).sort();
const preview = async (terms: Record<string, unknown>) => {
  const { id } = await alice.must('POST', RULES, { type: 'generic', ...terms });
  const { json } = await alice.get(`${RULES}/${id}/preview`);
  await alice.must('DELETE', `${RULES}/${id}`);
  return json.map(({ name, version }: Record<string, string>) => `${name} ${version}`).sort();
};

before(async () => {
  const packages = registry('alice');
  for (const [age, path] of [
    [4, 'tool/1.0'],
    [3, 'tool/1.1-rc'],
    [2, 'tool/1.1'],
    [0, 'tool/2.0'],
    [9, 'Other/1.0'],
  ] as const) {
    await packages.put(alice, `generic/${path}/file`, path);
    const version = path.split('/')[1] ?? '';
    await t.context.db
      .updateTable('package_versions')
      .set({ created_at: now() - age * DAY })
      .where('version', '=', version)
      .where('download_count', '=', 0)
      .execute();
    await t.context.db.updateTable('package_versions').set({ download_count: 1 }).execute();
  }
});

describe('a cleanup rule', () => {
  it('says which versions go', async () => {
    assert.deepEqual(await preview({ keep_count: 1 }), ['tool 1.0', 'tool 1.1', 'tool 1.1-rc']);
    assert.deepEqual(await preview({ remove_days: 3 }), ['Other 1.0', 'tool 1.0', 'tool 1.1-rc']);
    assert.deepEqual(await preview({ remove_pattern: '.*-RC|2\\.0' }), ['tool 1.1-rc', 'tool 2.0']);
    assert.deepEqual(await preview({ keep_pattern: '1\\.[01]|nothing' }), ['tool 1.1-rc', 'tool 2.0']);
    assert.deepEqual(await preview({ remove_pattern: 'other/.*', match_full_name: true }), ['Other 1.0']);
    assert.deepEqual(await preview({ keep_count: 100 }), []);
  });

  it('is made, changed and deleted, one for each type', async () => {
    const rule = await alice.must('POST', RULES, { type: 'generic', keep_count: 2 });
    assert.deepEqual([rule.enabled, rule.keep_count, rule.remove_pattern], [false, 2, '']);
    assert.equal((await alice.post(RULES, { type: 'generic', keep_count: 3 })).status, 409);
    assert.equal((await alice.patch(`${RULES}/${rule.id}`, { remove_days: 7 })).json.remove_days, 7);
    assert.deepEqual(
      (await alice.get(RULES)).json.map(({ id }: { id: number }) => id),
      [rule.id],
    );
    assert.equal((await alice.get(`${RULES}/${rule.id}`)).json.keep_count, 2);
    assert.equal((await alice.delete(`${RULES}/${rule.id}`)).status, 204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal((await alice.send(method, `${RULES}/${rule.id}`, { json: {} })).status, 404);
  });

  it('is refused if it cannot be', async () => {
    const bodies = [
      { type: 'pigeon', keep_count: 1 },
      { type: 'generic' },
      { type: 'generic', keep_count: -1 },
      { keep_count: 1 },
      { type: 'generic', remove_pattern: '(' },
      { type: 'generic', remove_pattern: 'a)|(b' },
      { type: 'generic', keep_pattern: 'x'.repeat(256) },
    ];
    for (const body of bodies) assert.equal((await alice.post(RULES, body)).status, 422, JSON.stringify(body));
    assert.deepEqual((await alice.get(RULES)).json, []);
  });

  it('is a matter of the owner alone', async () => {
    const { id } = await alice.must('POST', RULES, { type: 'generic', keep_count: 2 });
    const { owner, writer } = await packageTeams(t, 'guild');
    const all = async (caller: Client, rules: string) => {
      const calls = [
        caller.get(rules),
        caller.post(rules, { type: 'npm', keep_count: 1 }),
        caller.get(`${rules}/${id}`),
        caller.patch(`${rules}/${id}`, {}),
        caller.get(`${rules}/${id}/preview`),
        caller.delete(`${rules}/${id}`),
      ];
      return new Set((await Promise.all(calls)).map(({ status }) => status));
    };
    assert.deepEqual(await all(bob, RULES), new Set([403]));
    assert.deepEqual(await all(t.anonymous, RULES), new Set([401]));
    assert.deepEqual(await all(writer, '/packages/guild/cleanup-rules'), new Set([403]));
    // A rule of another owner is none.
    assert.equal((await owner.get(`/packages/guild/cleanup-rules/${id}`)).status, 404);
    await alice.must('DELETE', `${RULES}/${id}`);
  });

  it('is applied by the task, if it is enabled', async () => {
    const { id } = await alice.must('POST', RULES, { type: 'generic', keep_count: 1, remove_pattern: '1\\..*' });
    const before = await versions();
    await t.server.services.schedule.run(t.server.services, 'cleanup_packages');
    assert.deepEqual(await versions(), before);
    await alice.must('PATCH', `${RULES}/${id}`, { enabled: true });
    await t.server.services.schedule.run(t.server.services, 'cleanup_packages');
    assert.deepEqual(await versions(), ['Other 1.0', 'tool 2.0']);
  });
});
