import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/orgs', { username: 'acme' });
const fork = { event: 'pull_request', trigger_event: 'pull_request', event_payload: '{}', is_fork_pull_request: true };

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const [browser, stranger] = [await signedIn('alice'), await signedIn('bob')];

/** A private repository with an issue. */
async function repository(owner: string, name: string, isPrivate = true): Promise<{ id: number; path: string }> {
  const path = owner === 'alice' ? '/user/repos' : `/orgs/${owner}/repos`;
  const { id } = await alice.must('POST', path, { name, private: isPrivate, auto_init: true });
  await alice.must('POST', `/repos/${owner}/${name}/issues`, { title: 'One' });
  return { id, path: `/repos/${owner}/${name}` };
}

/** A client with the token of a job that runs. */
async function job({ id, path }: { id: number; path: string }, permissions = '', parts = {}): Promise<Client> {
  const runner = await SimulatedRunner.at(t, alice, path);
  await startRun(t, id, workflow(['one'], permissions), parts);
  const { token } = (await runner.fetch()).context;
  return new Client(() => t.url, { name: 'x-access-token', password: token, authorization: `token ${token}` });
}

const box = await repository('acme', 'box');
const [BOX, ACME] = ['/acme/box/settings/actions/general', '/org/acme/settings/actions/general'];
const OWN = '/user/settings/actions/general';

async function post(page: string, fields: Record<string, string>, form = ''): Promise<PageResponse> {
  return browser.submit(await browser.get(page), fields, form === '' ? page : `${page}/${form}`);
}

/** Reads code, writes code, reads issues, writes issues. */
async function rights(client: Client, path = box.path): Promise<string> {
  const content = { content: 'eA==', message: 'x' };
  return [
    (await client.get(`${path}/contents/README.md`)).status,
    (await client.post(`${path}/contents/${Math.random()}.txt`, content)).status,
    (await client.get(`${path}/issues`)).status,
    (await client.post(`${path}/issues`, { title: 'x' })).status,
  ].join(' ');
}

const levels = (code: string, others: string) =>
  Object.fromEntries(
    ['code', 'issues', 'pulls', 'packages', 'actions', 'wiki', 'releases', 'projects'].map((unit) => [
      `max_${unit}`,
      unit === 'code' ? code : others,
    ]),
  );

describe('the settings of automation', () => {
  it('say what tokens get where the workflow does not, by the owner or the repository', async () => {
    const [silent, speaking] = [await job(box), await job(box, 'permissions: { issues: write }\n')];
    assert.deepEqual([await rights(silent), await rights(speaking)], ['200 201 200 201', '403 403 200 201']);
    assert.equal((await post(ACME, { token_permission_mode: 'restricted' })).location, ACME);
    assert.match((await browser.get(BOX)).text, /value="restricted" checked/);
    assert.deepEqual([await rights(silent), await rights(speaking)], ['200 403 404 404', '403 403 200 201'], 'at once');
    await post(BOX, { override_owner_config: 'on', token_permission_mode: 'permissive' }, 'token_permissions');
    assert.equal(await rights(silent), '200 201 200 201');
    await post(BOX, { token_permission_mode: 'permissive' }, 'token_permissions');
    assert.equal(await rights(silent), '200 403 404 404');
  });

  it('have a maximum for each unit, which no workflow exceeds', async () => {
    const [greedy, modest] = [await job(box, 'permissions: write-all\n'), await job(box, 'permissions: {}\n')];
    const limited = { token_permission_mode: 'permissive', enable_max_permissions: 'on' };
    await post(ACME, { ...limited, ...levels('read', 'write') });
    assert.deepEqual([await rights(greedy), await rights(modest)], ['200 403 200 201', '404 404 404 404']);
    await post(BOX, { ...limited, override_owner_config: 'on', ...levels('write', 'none') }, 'token_permissions');
    assert.equal(await rights(greedy), '200 201 404 404');
    await post(BOX, {}, 'token_permissions');
    await post(ACME, { token_permission_mode: 'permissive' });
    assert.equal(await rights(greedy), '200 201 200 201');
  });

  it('are refused with what was typed, and change nothing', async () => {
    const before = await t.context.db.selectFrom('action_token_settings').selectAll().execute();
    for (const [page, form] of [
      [ACME, ''],
      [BOX, 'token_permissions'],
    ] as const) {
      const limits = { ...levels('write', 'none'), max_wiki: 'own', override_owner_config: 'on', enable_max_permissions: 'on' };
      const refused = await post(page, { ...limits, token_permission_mode: 'restricted' }, form);
      assert.deepEqual([refused.status, refused.text.includes('[max_wiki]')], [422, true]);
      assert.match(refused.text, /value="restricted" checked/);
      assert.equal((await post(page, { ...limits, token_permission_mode: 'all' }, form)).status, 422);
    }
    assert.deepEqual(await t.context.db.selectFrom('action_token_settings').selectAll().execute(), before);
    for (const [page, status] of [
      [BOX, 404],
      [ACME, 403],
    ] as const)
      assert.equal((await stranger.get(page)).status, status);
    const token = /name="_token" value="([^"]+)"/.exec((await stranger.get(OWN)).text)?.[1] ?? '';
    const fields = { _token: token, token_permission_mode: 'restricted', collaborative_owner: 'bob' };
    for (const path of [`${BOX}/token_permissions`, `${BOX}/collaborative_owner/add`, `${BOX}/actions_unit`, ACME])
      assert.ok([403, 404].includes((await stranger.send('POST', path, { fields })).status), path);
  });

  it('let jobs read repositories of the same owner that are shared, in the units that both allow', async () => {
    const [mine, library] = [await repository('alice', 'mine'), await repository('alice', 'library')];
    const [client, forked, closed] = [await job(mine), await job(mine, '', fork), await job(mine, 'permissions: {}\n')];
    assert.equal(await rights(client, library.path), '404 404 404 404');
    for (const name of ['no-such', 'acme/library', ''])
      assert.equal((await post(OWN, { repository: name }, 'repositories/add')).status, 422);
    await post(OWN, { repository: 'alice/library' }, 'repositories/add');
    assert.equal(await rights(client, library.path), '200 403 404 403');
    assert.deepEqual([await rights(forked, library.path), await rights(closed, library.path)], ['404 404 404 404', '404 404 404 404']);
    assert.equal((await client.git(['clone', '-q', client.remote('alice/library'), `${t.folder}/library`], t.folder)).code, 0);
    assert.notEqual((await client.git(['push', '-q', client.remote('alice/library'), 'HEAD:x'], `${t.folder}/library`)).code, 0);
    assert.equal(await rights(await job(box), library.path), '404 404 404 404', 'of another owner');
    const limits = { override_owner_config: 'on', token_permission_mode: 'permissive', enable_max_permissions: 'on' };
    await post('/alice/library/settings/actions/general', { ...limits, ...levels('none', 'write') }, 'token_permissions');
    assert.equal((await client.get(`${library.path}/contents/README.md`)).status, 403);
    await post('/alice/library/settings/actions/general', {}, 'token_permissions');
    await post(OWN, { id: String(library.id) }, 'repositories/remove');
    assert.equal(await rights(client, library.path), '404 404 404 404');
    await post(OWN, { repository: 'library' }, 'repositories/add');
    await alice.must('POST', `${library.path}/transfer`, { new_owner: 'acme' });
    assert.ok(!(await browser.get(OWN)).text.includes('alice/library'), 'a transfer ends it');
  });

  it('let private repositories of collaborative owners use the actions', async () => {
    const [shared, own, open] = [
      await repository('acme', 'shared'),
      await repository('alice', 'user'),
      await repository('alice', 'open', false),
    ];
    const [client, forked, fromOpen] = [await job(own), await job(own, '', fork), await job(open)];
    const page = '/acme/shared/settings/actions/general';
    const refused = await post(page, { collaborative_owner: 'no-such<b>' }, 'collaborative_owner/add');
    assert.deepEqual([refused.status, refused.text.includes('no-such&lt;b&gt;')], [422, true]);
    assert.equal((await post(page, { collaborative_owner: 'Alice' }, 'collaborative_owner/add')).location, page);
    assert.equal(await rights(client, shared.path), '200 403 404 403');
    for (const other of [forked, fromOpen]) assert.equal(await rights(other, shared.path), '404 404 404 404');
    const { id } = await alice.must('GET', '/users/alice');
    await post(page, {}, 'actions_unit');
    assert.equal(await rights(client, shared.path), '404 404 404 404', 'without the unit');
    await post(page, { enable_actions: 'on' }, 'actions_unit');
    assert.equal((await alice.must('GET', shared.path)).has_actions, true);
    await post(page, { id: String(id) }, 'collaborative_owner/delete');
    assert.equal(await rights(client, shared.path), '404 404 404 404');
    await post(page, { collaborative_owner: 'alice' }, 'collaborative_owner/add');
    await alice.must('POST', '/orgs', { username: 'successor' });
    await alice.must('POST', `${shared.path}/transfer`, { new_owner: 'successor' });
    assert.equal(await rights(client, '/repos/successor/shared'), '404 404 404 404', 'a transfer ends it');
  });

  it('are redirected to by the URLs above them', async () => {
    for (const page of [BOX, ACME, OWN]) assert.equal((await browser.get(page.replace('/general', ''))).location, page);
    assert.equal((await stranger.get(BOX.replace('/general', ''))).status, 404);
  });

  it('have entries in the audit log', async () => {
    const entries = await t.admin.must('GET', '/admin/audit?actor=alice&limit=50');
    const actions = new Set(entries.map(({ action }: { action: string }) => action));
    for (const action of ['job-tokens.set', 'job-access.add', 'job-access.remove', 'repository.edit'])
      assert.ok(actions.has(action), action);
  });
});
