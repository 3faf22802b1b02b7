// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import type { Client } from '../../support/client.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const { anonymous } = t;
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/orgs', { username: 'acme' });
await alice.must('POST', '/orgs/acme/repos', { name: 'box', private: true, auto_init: true });
await alice.must('POST', '/repos/acme/box/wiki/new', { title: 'Home', content_base64: Buffer.from('text').toString('base64') });
await alice.must('POST', '/repos/acme/box/issues', { title: 'An issue' });
const PAGE = '/acme/box/settings/public_access';
const AT = '/repos/acme/box';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const browser = await signedIn('alice');
const open = async (units: Record<string, string>) => browser.submit(await browser.get(PAGE), units, PAGE);
const status = async (client: Client, path: string) => (await client.get(`${AT}${path}`)).status;

describe('what a private repository opens', () => {
  it('is chosen by its administrators, and by the instance', async () => {
    assert.equal((await browser.get(PAGE)).status, 200);
    const stranger = await signedIn('bob');
    assert.equal((await stranger.get(PAGE)).status, 404);
    const refused = await open({ wiki: 'everyone-write', code: 'everyone-write' });
    assert.deepEqual([refused.status, refused.text.includes('[code]')], [422, true]);
    assert.deepEqual([await status(bob, '/wiki/pages'), await status(anonymous, '/wiki/pages')], [404, 404]);
  });

  it('is read by everybody, or by all users, and nothing else is', async () => {
    assert.equal((await open({ issues: 'anonymous-read', wiki: 'everyone-read' })).location, PAGE);
    assert.deepEqual([await status(anonymous, '/issues'), await status(anonymous, '/issues/1')], [200, 200]);
    assert.deepEqual([await status(bob, '/wiki/pages'), await status(anonymous, '/wiki/pages')], [200, 404]);
    for (const path of ['', '/contents', '/branches', '/pulls', '/releases', '/commits', '/archive/main.zip'])
      for (const client of [anonymous, bob]) assert.ok([403, 404].includes(await status(client, path)), path);
    const reader = new Browser(t.url);
    assert.match((await reader.get('/acme/box')).location, /\/acme\/box\/issues$/);
    assert.equal((await reader.get('/acme/box/issues/1')).status, 200);
    assert.equal((await reader.get('/acme/box/src/branch/main/README.md')).status, 403);
    const found = await bob.must('GET', '/repos/search?q=box');
    assert.equal(found.data.length, 0);
    assert.equal((await bob.post(`${AT}/issues`, { title: 'Reading is not writing' })).status, 201);
  });

  it('is fetched by git, each repository by its own unit', async () => {
    const fetched = async (name: string, service: string, headers = {}) =>
      (await fetch(new URL(`/acme/${name}.git/info/refs?service=git-${service}-pack`, t.url), { headers })).status;
    const asBob = { authorization: `Basic ${Buffer.from(`bob:${PASSWORD}`).toString('base64')}` };
    assert.deepEqual([await fetched('box.wiki', 'upload'), await fetched('box.wiki', 'upload', asBob)], [401, 200]);
    assert.deepEqual([await fetched('box', 'upload'), await fetched('box', 'upload', asBob)], [401, 404]);
    assert.equal(await fetched('box.wiki', 'receive', asBob), 404);
    await open({ wiki: 'everyone-write' });
    assert.equal(await fetched('box.wiki', 'receive', asBob), 200);
    const page = { title: 'Bobs', content_base64: Buffer.from('more').toString('base64') };
    assert.equal((await bob.post(`${AT}/wiki/new`, page)).status, 201);
    assert.ok((await anonymous.post(`${AT}/wiki/new`, { ...page, title: 'Nobodys' })).status >= 401);
  });

  it('is no less for members of teams than for strangers', async () => {
    const team = { name: 'coders', permission: 'read', units_map: { 'repo.code': 'read' }, includes_all_repositories: true };
    const { id } = await alice.must('POST', '/orgs/acme/teams', team);
    await alice.must('PUT', `/teams/${id}/members/bob`);
    assert.deepEqual([await status(bob, '/issues/1'), await status(bob, '/contents'), await status(bob, '/wiki/pages')], [200, 200, 200]);
    await alice.must('DELETE', `/teams/${id}/members/bob`);
  });

  it('ends with what hangs on it', async () => {
    await t.settled();
    await bob.must('PUT', `${AT}/subscription`);
    const watchers = async () => (await alice.must('GET', `${AT}/subscribers`)).map(({ login }: { login: string }) => login);
    assert.ok((await watchers()).includes('bob'));
    await open({ issues: 'not-set', wiki: 'not-set' });
    await t.settled();
    assert.ok(!(await watchers()).includes('bob'));
    assert.deepEqual(
      [await status(bob, '/issues/1'), await status(anonymous, '/issues'), await status(bob, '/wiki/pages')],
      [404, 404, 404],
    );
    assert.equal((await new Browser(t.url).get('/acme/box')).status, 404);
  });
});
