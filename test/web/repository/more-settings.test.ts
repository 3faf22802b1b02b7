// On SQLite alone: what these pages ask of the database, the tests of the API and of other settings ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
await t.user('manager');
await alice.must('POST', '/user/repos', { name: 'box', auto_init: true, default_branch: 'main' });
await alice.must('PUT', '/repos/alice/box/collaborators/manager', { permission: 'admin' });
const browser = await signedIn('alice');
const ROOT = '/alice/box/settings';
const API = '/repos/alice/box';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGSLTrEnOrwaDUHFSDpXaxIt5Q5+bCZ4bWDCxyrvUuL4 machine';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const send = async (page: string, fields: Record<string, string>, action = page) => browser.submit(await browser.get(page), fields, action);

describe('the settings of a repository', () => {
  it('have deploy keys', async () => {
    const page = `${ROOT}/keys`;
    assert.equal((await send(page, { title: '<i>ci', key: KEY }, `${page}/add`)).location, page);
    const [key] = await alice.must('GET', `${API}/keys`);
    assert.deepEqual([key.title, key.read_only], ['<i>ci', true]);
    assert.ok((await browser.get(page)).text.includes('&lt;i&gt;ci'));
    const again = await send(page, { title: 'typed', key: KEY }, `${page}/add`);
    assert.deepEqual([again.status, again.text.includes('value="typed"')], [422, true]);
    await send(page, { id: String(key.id) }, `${page}/delete`);
    assert.deepEqual(await alice.must('GET', `${API}/keys`), []);
    const { db } = t.context;
    const setAge = (created_at: number) => db.updateTable('sessions').set({ created_at }).execute();
    await setAge(1);
    assert.equal((await send(page, { title: 'late', key: KEY }, `${page}/add`)).status, 422);
    assert.deepEqual(await alice.must('GET', `${API}/keys`), []);
    assert.equal((await send(page, { title: 'late', key: KEY, password: PASSWORD }, `${page}/add`)).location, page);
    await setAge(Math.floor(Date.now() / 1000));
  });

  it('have secrets, whose values are not shown', async () => {
    const page = `${ROOT}/actions/secrets`;
    await send(page, { name: 'token', value: 'hidden value', description: '<i>' }, `${page}/set`);
    assert.equal((await alice.must('GET', `${API}/actions/secrets`))[0].name, 'TOKEN');
    const refused = await send(page, { name: 'a b', value: 'hidden value' }, `${page}/set`);
    const list = await browser.get(page);
    assert.deepEqual([refused.status, list.text.includes('TOKEN'), list.text.includes('<i>')], [422, true, false]);
    assert.ok(!(refused.text + list.text).includes('hidden value'));
    await send(page, { name: 'TOKEN' }, `${page}/delete`);
    assert.deepEqual(await alice.must('GET', `${API}/actions/secrets`), []);
  });

  it('have variables', async () => {
    const page = `${ROOT}/actions/variables`;
    await send(page, { name: 'LEVEL', value: '<i>\r\nb' }, `${page}/add`);
    assert.equal((await alice.must('GET', `${API}/actions/variables/LEVEL`)).data, '<i>\nb');
    assert.ok(!(await browser.get(page)).text.includes('<i>'));
    await send(page, { name: 'LEVEL', value: 'high' }, `${page}/edit`);
    assert.equal((await alice.must('GET', `${API}/actions/variables/LEVEL`)).data, 'high');
    assert.equal((await send(page, { name: 'LEVEL', value: 'x' }, `${page}/add`)).status, 422);
    await send(page, { name: 'LEVEL' }, `${page}/delete`);
    assert.equal((await alice.get(`${API}/actions/variables/LEVEL`)).status, 404);
  });

  it('have rules that protect branches', async () => {
    const edit = `${ROOT}/branches/edit`;
    const rule = { enable_push: 'on', enable_push_whitelist: 'on', push_whitelist_usernames: 'alice, manager', required_approvals: '2' };
    assert.equal((await send(edit, { rule_name: 'release/<b>*', ...rule, status_check_contexts: 'a\r\nb' })).location, `${ROOT}/branches`);
    const [made] = await alice.must('GET', `${API}/branch_protections`);
    assert.deepEqual([made.rule_name, made.enable_push, made.required_approvals], ['release/<b>*', true, 2]);
    assert.deepEqual(
      [made.push_whitelist_usernames.toSorted(), made.status_check_contexts],
      [
        ['alice', 'manager'],
        ['a', 'b'],
      ],
    );
    const unknown = await send(edit, { rule_name: 'other', ...rule, push_whitelist_usernames: '<i>nobody' });
    assert.deepEqual([unknown.status, unknown.text.includes('value="other"'), unknown.text.includes('<i>')], [422, true, false]);
    const own = `${edit}?rule_name=${encodeURIComponent('release/<b>*')}`;
    await browser.submit(await browser.get(own), { required_approvals: '1' }, edit);
    const [changed] = await alice.must('GET', `${API}/branch_protections`);
    assert.deepEqual([changed.required_approvals, changed.enable_push], [1, false]);
    const list = await browser.get(`${ROOT}/branches`);
    assert.ok(list.text.includes('release/&lt;b&gt;*'));
    await browser.submit(list, { rule_name: 'release/<b>*' }, `${ROOT}/branches/delete`);
    assert.deepEqual(await alice.must('GET', `${API}/branch_protections`), []);
  });

  it('have webhooks', async () => {
    const page = `${ROOT}/hooks/new`;
    const fields = { type: 'gitea', url: 'https://example.com/<i>', content_type: 'json', secret: 'kept', name: '<i>ci', events: 'issues' };
    assert.equal((await send(page, fields)).location, `${ROOT}/hooks`);
    const [hook] = await alice.must('GET', `${API}/hooks`);
    assert.deepEqual([hook.name, hook.events, hook.active], ['<i>ci', ['issues'], false]);
    const refused = await send(page, { ...fields, url: 'file:///x', name: 'typed' });
    assert.deepEqual([refused.status, refused.text.includes('value="typed"')], [422, true]);
    const own = `${ROOT}/hooks/${hook.id}`;
    await send(own, { ...fields, name: 'other', active: 'on', events: 'push' });
    const changed = await alice.must('GET', `${API}/hooks/${hook.id}`);
    assert.deepEqual([changed.name, changed.events, changed.active], ['other', ['push'], true]);
    await send(own, {}, `${own}/tests`);
    const shown = await browser.get(own);
    assert.ok(shown.text.includes('<strong>Push</strong>') && !shown.text.includes('<i>') && !shown.text.includes('kept'));
    await send(own, {}, `${own}/delete`);
    assert.equal((await browser.get(own)).status, 404);
  });

  it('are for who administers it, secrets and variables for its owner', async () => {
    const stranger = await signedIn('mallory');
    const manager = await signedIn('manager');
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await stranger.get('/alice/box')).text) ?? [];
    for (const page of ['branches', 'branches/edit', 'hooks', 'hooks/new', 'keys', 'actions/secrets', 'actions/variables']) {
      assert.match((await new Browser(t.url).get(`${ROOT}/${page}`)).location, /^\/user\/login\?/, page);
      assert.equal((await stranger.get(`${ROOT}/${page}`)).status, 403, page);
      assert.equal((await manager.get(`${ROOT}/${page}`)).status, page.startsWith('actions') ? 403 : 200, page);
    }
    const forms = [
      'branches/edit',
      'branches/delete',
      'hooks/new',
      'hooks/1',
      'hooks/1/tests',
      'hooks/1/delete',
      'keys/add',
      'keys/delete',
    ];
    for (const form of [...forms, 'actions/secrets/set', 'actions/secrets/delete', 'actions/variables/add', 'actions/variables/delete']) {
      const fields = { _token: token, rule_name: 'x', name: 'X', value: 'x', title: 'x', key: KEY, url: 'https://example.com' };
      assert.equal((await stranger.send('POST', `${ROOT}/${form}`, { fields })).status, 403, form);
      assert.equal((await browser.send('POST', `${ROOT}/${form}`, { fields })).status, 403, form);
    }
  });
});
