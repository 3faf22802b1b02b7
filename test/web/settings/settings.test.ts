import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGSLTrEnOrwaDUHFSDpXaxIt5Q5+bCZ4bWDCxyrvUuL4 alice@example.com';

describe('the settings of an account', () => {
  it('change the profile, and show what is wrong with what was typed', async () => {
    const page = await browser.get('/user/settings');
    const done = await browser.submit(page, { full_name: 'Alice <b>', website: 'https://example.com', location: 'Here', hide_email: 'on' });
    assert.equal(done.location, '/user/settings');
    const { full_name: name, location, hide_email: hides } = await alice.must('GET', '/user/settings');
    assert.deepEqual([name, location, hides], ['Alice <b>', 'Here', true]);
    assert.ok((await browser.get('/user/settings')).text.includes('value="Alice &lt;b&gt;"'));
    const refused = await browser.submit(page, { full_name: 'Kept', website: 'javascript:alert(1)' });
    assert.deepEqual([refused.status, refused.text.includes('value="Kept"')], [422, true]);
  });

  it('change language and theme', async () => {
    await browser.submit(await browser.get('/user/settings/appearance'), { language: 'de', theme: 'dark', diff_style: 'split' });
    const page = await browser.get('/user/settings/appearance');
    assert.match(page.text, /<html lang="de" data-theme="dark">/);
    assert.match(page.text, /<h1>Darstellung<\/h1>/);
    await browser.submit(page, { language: '', theme: 'nonsense' });
    assert.match((await browser.get('/user/settings/appearance')).text, /<html lang="en" data-theme="auto">/);
  });

  it('hide kinds of events from the own timelines', async () => {
    await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true });
    const { id: label } = await alice.must('POST', '/repos/alice/forge/labels', { name: 'hidden-label', color: '#ff0000' });
    await alice.must('POST', '/repos/alice/forge/issues', { title: 'Before' });
    const issue = '/repos/alice/forge/issues/1';
    await alice.must('POST', `${issue}/labels`, { labels: [label] });
    await alice.must('PATCH', issue, { title: 'After', due_date: '2030-01-02T00:00:00Z' });
    await alice.must('POST', `${issue}/comments`, { body: 'Never hidden' });
    const events = async (who: Browser) => {
      const { text } = await who.get('/alice/forge/issues/1');
      assert.match(text, /Never hidden/);
      return text.match(/class="event"/g)?.length;
    };
    assert.equal(await events(browser), 3);
    const form = '/user/settings/appearance/hidden_comments';
    const done = await browser.submit(await browser.get('/user/settings/appearance'), { label: 'on', deadline: 'on', comment: 'on' }, form);
    assert.equal(done.location, '/user/settings/appearance');
    assert.deepEqual([await events(browser), await events(new Browser(t.url))], [1, 3]);
    assert.equal((await alice.must('GET', `${issue}/timeline`)).length, 4);
    const page = await browser.get('/user/settings/appearance');
    assert.deepEqual(
      [...page.text.matchAll(/name="(\w+)" value="on" checked/g)].map(([, name]) => name),
      ['label', 'deadline'],
    );
    await browser.submit(page, {}, form);
    assert.equal(await events(browser), 3);
    assert.equal((await browser.send('POST', form, { fields: { label: 'on' } })).status, 403);
  });

  it('are for who is signed in', async () => {
    for (const page of ['', '/account', '/appearance', '/keys', '/applications', '/emails', '/security', '/packages']) {
      assert.match((await new Browser(t.url).get(`/user/settings${page}`)).location, /^\/user\/login\?/, page);
      assert.equal((await browser.get(`/user/settings${page}`)).status, 200, page);
    }
    assert.equal((await browser.send('POST', '/user/settings/applications', { fields: { name: 'x' } })).status, 403);
  });
});

describe('keys', () => {
  it('are added and removed', async () => {
    const page = await browser.get('/user/settings/keys');
    const added = await browser.submit(page, { title: '<i>laptop', key: KEY }, '/user/settings/keys/ssh/add');
    assert.equal(added.location, '/user/settings/keys');
    const [key] = await alice.must('GET', '/user/keys');
    assert.equal(key.title, '<i>laptop');
    const list = await browser.get('/user/settings/keys');
    assert.ok(list.text.includes('&lt;i&gt;laptop') && list.text.includes(key.fingerprint));
    const again = await browser.submit(page, { title: 'again', key: KEY }, '/user/settings/keys/ssh/add');
    assert.match(again.text, /already registered.*value="again"/s);
    assert.equal((await browser.submit(page, { key: 'nonsense' }, '/user/settings/keys/gpg/add')).status, 422);
    await browser.submit(list, { id: String(key.id) }, '/user/settings/keys/ssh/delete');
    assert.deepEqual(await alice.must('GET', '/user/keys'), []);
    await t.context.db.updateTable('sessions').set({ created_at: 1 }).execute();
    const late = await browser.get('/user/settings/keys');
    assert.equal((await browser.submit(late, { title: 'late', key: KEY }, '/user/settings/keys/ssh/add')).status, 422);
    assert.deepEqual(await alice.must('GET', '/user/keys'), []);
    const known = { title: 'late', key: KEY, password: PASSWORD };
    assert.equal((await browser.submit(late, known, '/user/settings/keys/ssh/add')).status, 303);
    const [lateKey] = await alice.must('GET', '/user/keys');
    await alice.must('DELETE', `/user/keys/${lateKey.id}`);
    await t.context.db
      .updateTable('sessions')
      .set({ created_at: Math.floor(Date.now() / 1000) })
      .execute();
  });
});

describe('keys that sign', () => {
  it('are verified by what they sign, and by nothing else', async () => {
    const file = join(t.folder, 'signing');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    const page = '/user/settings/keys';
    const key = readFileSync(`${file}.pub`, 'utf8');
    await browser.submit(await browser.get(page), { title: 'signer', key }, `${page}/ssh/add`);
    const list = await browser.get(page);
    const [, token = ''] = /echo -n &#39;([0-9a-f]+)&#39; \| ssh-keygen -Y sign/.exec(list.text) ?? [];
    const refused = await browser.submit(list, { signature: '<b>wrong' }, `${page}/ssh/verify`);
    assert.deepEqual([refused.status, refused.text.includes('&lt;b&gt;wrong'), refused.text.includes('<b>wrong')], [422, true, false]);
    const signature = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'copse', '-f', file], {
      input: token,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    await t.user('mallory');
    const mallory = new Browser(t.url);
    await mallory.signIn('mallory', PASSWORD);
    const [{ id }] = await alice.must('GET', '/user/keys');
    const [, own = ''] = /name="_token" value="([^"]*)"/.exec((await mallory.get(page)).text) ?? [];
    assert.equal((await mallory.send('POST', `${page}/ssh/verify`, { fields: { _token: own, id: String(id), signature } })).status, 404);
    assert.equal((await browser.submit(list, { signature }, `${page}/ssh/verify`)).location, page);
    const { text } = await browser.get(page);
    assert.ok(text.includes('Verified') && !text.includes('ssh-keygen'));
  });
});

describe('e-mail notifications', () => {
  it('are chosen by kind', async () => {
    const page = '/user/settings/notifications';
    const wish = async () =>
      (await t.context.db.selectFrom('users').select('email_notifications').where('name', '=', 'alice').executeTakeFirstOrThrow())
        .email_notifications;
    assert.equal((await browser.submit(await browser.get(page), { preference: 'onmention' }, `${page}/email`)).location, page);
    assert.equal(await wish(), 'onmention');
    assert.match((await browser.get(page)).text, /value="onmention" selected/);
    assert.equal((await browser.submit(await browser.get(page), { preference: 'never' }, `${page}/email`)).status, 422);
    assert.equal(await wish(), 'onmention');
  });
});

describe('mails of workflow runs', () => {
  it('are chosen apart from the others', async () => {
    const page = '/user/settings/notifications';
    assert.match((await browser.get(page)).text, /value="failure-only" selected/);
    assert.equal((await browser.submit(await browser.get(page), { preference: 'all' }, `${page}/actions`)).location, page);
    assert.match((await browser.get(page)).text, /value="all" selected/);
    assert.equal((await browser.submit(await browser.get(page), { preference: 'onmention' }, `${page}/actions`)).status, 422);
    const { run_mails, email_notifications } = await t.context.db
      .selectFrom('users')
      .select(['run_mails', 'email_notifications'])
      .where('name', '=', 'alice')
      .executeTakeFirstOrThrow();
    assert.deepEqual([run_mails, email_notifications], ['all', 'onmention']);
  });
});

describe('access tokens', () => {
  const make = async (fields: Record<string, string>) =>
    browser.submit(await browser.get('/user/settings/applications'), { name: 'ci', ...fields }, '/user/settings/applications');

  it('are shown once, and do what was chosen', async () => {
    const page = await make({ repository: 'read', password: PASSWORD });
    const [, token = ''] = /data-copy="([0-9a-f]{40})"/.exec(page.text) ?? [];
    const bearer = { headers: { authorization: `token ${token}` } };
    assert.equal((await t.anonymous.get('/user/repos', bearer)).status, 403);
    assert.equal((await t.anonymous.get('/repos/search', bearer)).status, 200);
    const list = await browser.get('/user/settings/applications');
    assert.ok(list.text.includes('read:repository') && !list.text.includes(token));
    const [, id = ''] = /name="id" value="(\d+)"/.exec(list.text) ?? [];
    await browser.submit(list, { id }, '/user/settings/applications/delete');
    assert.equal((await t.anonymous.get('/repos/search', bearer)).status, 401);
  });

  it('need the password, a name and something that they may do', async () => {
    for (const [fields, reason] of [
      [{ repository: 'read', password: 'wrong' }, /password is incorrect/],
      [{ password: PASSWORD }, /at least one scope/],
      [{ repository: 'everything', password: PASSWORD }, /at least one scope/],
    ] as const) {
      const refused = await make(fields);
      assert.equal(refused.status, 422);
      assert.match(refused.text, reason);
    }
  });
});

describe('an account', () => {
  it('is deleted by who knows its password and types its name', async () => {
    await t.user('leaver');
    const leaver = new Browser(t.url);
    await leaver.signIn('leaver', PASSWORD);
    const page = await leaver.get('/user/settings/account');
    assert.equal((await leaver.submit(page, { name: 'other', password: PASSWORD })).status, 422);
    assert.equal((await leaver.submit(page, { name: 'leaver', password: 'wrong' })).status, 422);
    assert.equal((await leaver.submit(page, { name: 'leaver', password: PASSWORD })).location, '/');
    assert.equal((await t.anonymous.get('/users/leaver')).status, 404);
  });
});
