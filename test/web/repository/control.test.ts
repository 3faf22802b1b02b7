import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await t.user('alice');
await t.user('bob');
await t.user('manager');
await alice.must('POST', '/user/repos', { name: 'box', auto_init: true, default_branch: 'main' });
await alice.must('PUT', '/repos/alice/box/collaborators/manager', { permission: 'admin' });
const ROOT = '/alice/box/settings';
const API = '/repos/alice/box';
const HOSTILE = '<img src=x onerror=alert(1)>';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const browser = await signedIn('alice');
const bob = await signedIn('bob');
const send = async (page: string, fields: Record<string, string>, action = page, by = browser): Promise<PageResponse> =>
  by.submit(await by.get(page), fields, action);
const tokenOf = async (by: Browser) => /name="_token" value="([^"]*)"/.exec((await by.get('/user/settings')).text)?.[1] ?? '';

describe('the settings of a repository', () => {
  it('have rules that protect tags', async () => {
    const page = `${ROOT}/tags`;
    const rule = { name_pattern: 'v*', whitelist_usernames: 'alice, manager' };
    assert.equal((await send(page, rule)).location, page);
    const [made] = await alice.must('GET', `${API}/tag_protections`);
    assert.deepEqual([made.name_pattern, made.whitelist_usernames.toSorted()], ['v*', ['alice', 'manager']]);
    const refused = await send(page, { name_pattern: HOSTILE, whitelist_usernames: 'nobody-there' });
    assert.deepEqual([refused.status, refused.text.includes(HOSTILE), refused.text.includes('&lt;img src=x')], [422, false, true]);
    const own = `${page}/${made.id}`;
    await send(own, { name_pattern: 'r*', whitelist_usernames: 'alice' });
    assert.equal((await alice.must('GET', `${API}/tag_protections/${made.id}`)).name_pattern, 'r*');
    await send(page, {}, `${page}/delete`);
    assert.deepEqual(await alice.must('GET', `${API}/tag_protections`), []);
    assert.equal((await browser.get(own)).status, 404);
  });

  it('have push mirrors, whose passwords are not shown', async () => {
    const page = `${ROOT}/mirrors`;
    const mirror = { remote_address: 'http://127.0.0.1:9/x.git', remote_username: 'me', remote_password: 'sesame', interval: '9h0m0s' };
    assert.equal((await send(page, { ...mirror, remote_address: 'ftp://example.com' }, `${page}/push/add`)).status, 422);
    assert.equal((await send(page, mirror, `${page}/push/add`)).location, page);
    const [made] = await alice.must('GET', `${API}/push_mirrors`);
    assert.deepEqual([made.remote_address, made.interval], [mirror.remote_address, '9h0m0s']);
    const shown = await browser.get(page);
    assert.ok(shown.text.includes('http://127.0.0.1:9/x.git') && !shown.text.includes('sesame'));
    await browser.submit(shown, {}, `${page}/push/delete`);
    assert.deepEqual(await alice.must('GET', `${API}/push_mirrors`), []);
    assert.equal((await browser.send('POST', `${page}/sync`, { fields: { _token: await tokenOf(browser) } })).status, 422);
  });

  it('have large files and locks', async () => {
    const page = `${ROOT}/lfs/locks`;
    assert.equal((await browser.get(`${ROOT}/lfs`)).status, 200);
    assert.equal((await send(page, { path: `a/${HOSTILE}` })).location, page);
    assert.equal((await send(page, { path: `A/${HOSTILE}` })).status, 422);
    const shown = await browser.get(page);
    assert.ok(!shown.text.includes(HOSTILE));
    const unlock = /action="([^"]*\/unlock)"/.exec(shown.text)?.[1] ?? '';
    assert.equal((await browser.submit(shown, {}, unlock)).location, page);
    assert.match((await browser.get(page)).text, /No file is locked/);
    assert.equal((await browser.send('POST', unlock, { fields: { _token: await tokenOf(browser) } })).status, 422);
  });

  it('are for who administers it', async () => {
    const manager = await signedIn('manager');
    const _token = await tokenOf(bob);
    for (const page of ['tags', 'mirrors', 'lfs', 'lfs/locks', 'actions/runners']) {
      assert.equal((await bob.get(`${ROOT}/${page}`)).status, 403, page);
      assert.equal((await manager.get(`${ROOT}/${page}`)).status, page.startsWith('actions') ? 403 : 200, page);
    }
    for (const form of [
      'tags',
      'tags/delete',
      'mirrors/sync',
      'mirrors/push/add',
      'mirrors/push/delete',
      'lfs/locks',
      'avatar/delete',
      'transfer/cancel',
    ])
      assert.equal((await bob.send('POST', `${ROOT}/${form}`, { fields: { _token, name: 'x' } })).status, 403, form);
  });

  it('offer it to a new owner, who accepts or rejects', async () => {
    const offer = async () => send(ROOT, { new_owner: 'bob', name: 'box' }, `${ROOT}/transfer`);
    const accept = '/alice/box/action/accept_transfer';
    assert.equal((await offer()).status, 303);
    assert.ok(!(await browser.get('/alice/box')).text.includes(accept));
    assert.equal((await browser.send('POST', accept, { fields: { _token: await tokenOf(browser) } })).status, 403);
    assert.equal((await send(ROOT, {}, `${ROOT}/transfer/cancel`)).status, 303);
    assert.ok(!(await bob.get('/alice/box')).text.includes(accept));
    await offer();
    assert.equal((await send('/alice/box', {}, '/alice/box/action/reject_transfer', bob)).location, '/');
    assert.equal((await alice.must('GET', API)).owner.login, 'alice');
    await offer();
    assert.equal((await send('/alice/box', {}, accept, bob)).location, '/bob/box');
    await t.settled();
    assert.equal((await alice.must('GET', '/repos/bob/box')).owner.login, 'bob');
  });
});
