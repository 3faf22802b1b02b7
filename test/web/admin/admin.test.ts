import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const { admin } = t;
const alice = await t.user('alice');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'hidden', private: true, description: HOSTILE });
await alice.must('POST', '/orgs', { username: 'acme', full_name: HOSTILE, visibility: 'private' });
await t.user('chief');
await admin.must('PATCH', '/admin/users/chief', { login_name: 'chief', source_id: 0, admin: true, full_name: HOSTILE });
const chief = new Browser(t.url);
await chief.signIn('chief', PASSWORD);
const other = new Browser(t.url);
await other.signIn('alice', PASSWORD);
const ROOT = '/-/admin';
const PAGES = ['', '/users', '/users/alice', '/orgs', '/repos', '/monitor', '/audit'].map((page) => ROOT + page);

describe('the administration', () => {
  it('is for site administrators alone', async () => {
    const token = /name="_token" value="([^"]+)"/.exec((await other.get('/user/settings')).text)?.[1] ?? '';
    for (const path of PAGES) {
      const page = await chief.get(path);
      assert.equal(page.status, 200, path);
      assert.ok(!page.text.includes(HOSTILE), path);
      assert.equal((await other.get(path)).status, 403, path);
      assert.match((await new Browser(t.url).get(path)).location, /user\/login/);
    }
    for (const path of [
      '/users',
      '/users/chief',
      '/users/chief/delete',
      '/users/chief/rename',
      '/users/chief/2fa',
      '/users/chief/badges',
      '/monitor',
    ])
      assert.equal((await other.send('POST', ROOT + path, { fields: { _token: token, task: 'gc_lfs' } })).status, 403, path);
    const { length } = await admin.must('GET', '/admin/audit?actor=alice&action=task.run');
    assert.equal(length, 0);
  });

  it('creates, changes and deletes accounts', async () => {
    const list = await chief.get(`${ROOT}/users`);
    const fields = { username: 'bob', email: 'bob@example.com', password: PASSWORD };
    const refused = await chief.submit(list, { ...fields, password: 'x' }, `${ROOT}/users`);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="bob@example.com"/);
    const created = await chief.submit(list, fields, `${ROOT}/users`);
    assert.equal(created.location, `${ROOT}/users/bob`);
    const change = { full_name: 'Bob', email: 'bob@example.org', visibility: 'limited', prohibit_login: 'on', active: 'on' };
    assert.equal((await chief.submit(await chief.get(created.location), change, created.location)).status, 303);
    const bob = await admin.must('GET', '/users/bob');
    assert.deepEqual(
      [bob.full_name, bob.email, bob.visibility, bob.prohibit_login, bob.active, bob.is_admin],
      ['Bob', 'bob@example.org', 'limited', true, true, false],
    );
    const prohibited = encodeURIComponent('status_filter[is_prohibit_login]');
    assert.match((await chief.get(`${ROOT}/users?${prohibited}=1&sort=newest`)).text, />bob</);
    const others = (await chief.get(`${ROOT}/users?${prohibited}=0&q=b`)).text;
    assert.doesNotMatch(others, /<strong>bob</);
    assert.match(others, /<summary>Filters <span class="count">1<\/span>[\s\S]*href="[^"]*\/users\?q=b">Not: Sign-in disabled/);
    assert.ok(!(await chief.get(`${ROOT}/users?q=bob`)).text.includes('>alice<'));
    assert.match((await chief.get(`${ROOT}/users?q=nobody-like-this`)).text, /Nothing was found/);
    const page = await chief.get(created.location);
    assert.equal((await chief.submit(page, { confirm: 'bo' }, `${created.location}/delete`)).status, 422);
    assert.equal((await chief.submit(page, { confirm: 'bob' }, `${created.location}/delete`)).location, `${ROOT}/users`);
    assert.equal((await admin.get('/users/bob')).status, 404);
    const audit = await chief.get(`${ROOT}/audit?actor=chief`);
    for (const action of ['user.create', 'user.edit', 'user.delete']) assert.ok(audit.text.includes(`<code>${action}</code>`), action);
    assert.ok(!audit.text.includes(PASSWORD));
  });

  it('renames accounts, removes their second factors, and gives badges', async () => {
    const { id } = await admin.must('POST', '/admin/users', {
      username: 'carl',
      email: 'carl@example.com',
      password: PASSWORD,
      must_change_password: false,
    });
    const { db } = t.context;
    const passkey = { user_id: id, name: 'key', lower_name: 'key', credential_id: 'x', public_key: 'x', transports: '[]', created_at: 1 };
    await db.insertInto('passkeys').values(passkey).execute();
    await db.insertInto('badges').values({ slug: 'gold', description: HOSTILE }).execute();
    const byId = await chief.get(`${ROOT}/users/${id}/edit`);
    assert.equal(byId.location, `${ROOT}/users/carl`);
    const page = await chief.get(byId.location);
    assert.match(page.text, /Passkeys/);
    assert.ok(!page.text.includes(HOSTILE));
    const submit = (fields: Record<string, string>, form: string, name = 'carl') =>
      chief.submit(page, fields, `${ROOT}/users/${name}/${form}`);
    assert.equal((await submit({ do: 'add', slug: 'gold' }, 'badges')).status, 303);
    assert.equal((await submit({ do: 'add', slug: 'gold' }, 'badges')).status, 422);
    assert.equal((await admin.must('GET', '/admin/users/carl/badges')).length, 1);
    const withBadge = await chief.get(byId.location);
    assert.equal((await chief.submit(withBadge, {}, `${ROOT}/users/carl/badges`)).status, 303);
    assert.equal((await admin.must('GET', '/admin/users/carl/badges')).length, 0);
    assert.equal((await submit({}, '2fa')).status, 303);
    assert.equal((await db.selectFrom('passkeys').select('id').where('user_id', '=', id).execute()).length, 0);
    assert.equal((await submit({ new_username: 'alice' }, 'rename')).status, 422);
    assert.equal((await submit({ new_username: 'karl' }, 'rename')).location, `${ROOT}/users/karl?saved=1`);
    assert.equal((await admin.must('GET', '/users/karl')).id, id);
    const { text } = await chief.get(`${ROOT}/audit?actor=chief`);
    for (const action of ['user.rename', 'two-factor.disable', 'user.badges']) assert.ok(text.includes(`<code>${action}</code>`), action);
  });

  it('shows all repositories, organizations and entries of the audit log', async () => {
    assert.match((await chief.get(`${ROOT}/repos?q=hidden`)).text, /alice\/hidden/);
    assert.match((await chief.get(`${ROOT}/orgs`)).text, />acme</);
    assert.match((await chief.get(`${ROOT}/audit?actor=nobody-like-this`)).text, /Nothing was found/);
    assert.equal((await chief.get(`${ROOT}/audit?since=yesterday`)).status, 422);
  });

  it('runs scheduled tasks, with an entry in the audit log', async () => {
    const runs = async () =>
      (await admin.must('GET', '/admin/cron?limit=50')).find((task: { name: string }) => task.name === 'gc_lfs').exec_times;
    const before = await runs();
    const page = await chief.get(`${ROOT}/monitor`);
    assert.equal((await chief.submit(page, { task: 'gc_lfs' }, `${ROOT}/monitor`)).status, 303);
    assert.equal(await runs(), before + 1);
    const [entry] = await admin.must('GET', '/admin/audit?actor=chief&action=task.run');
    assert.deepEqual([entry.object.type, entry.details.task], ['instance', 'gc_lfs']);
    assert.equal((await chief.submit(page, { task: 'no-such' }, `${ROOT}/monitor`)).status, 404);
  });
});
