// On SQLite alone: what these pages ask of the database, the tests of the API and of other settings ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
await t.user('manager');
const browser = await signedIn('alice');
await alice.must('POST', '/orgs', { username: 'acme' });
for (const name of ['box', 'hidden'])
  await alice.must('POST', '/orgs/acme/repos', { name, auto_init: true, private: name === 'hidden', default_branch: 'main' });
await alice.must('PUT', '/repos/acme/box/collaborators/manager', { permission: 'admin' });
const ROOT = '/acme/box/settings';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const send = async (page: string, fields: Record<string, string>, action = page) => browser.submit(await browser.get(page), fields, action);

describe('the general settings of a repository', () => {
  it('change what it is, and show what was typed', async () => {
    const fields = { name: 'box', description: '<b>bold', website: 'https://example.com', template: 'on', default_branch: 'main' };
    assert.equal((await send(ROOT, fields)).location, ROOT);
    const shape = await alice.must('GET', '/repos/acme/box');
    assert.deepEqual([shape.description, shape.website, shape.template], ['<b>bold', 'https://example.com', true]);
    assert.ok((await browser.get(ROOT)).text.includes('&lt;b&gt;bold</textarea>'));
    for (const wrong of [{ name: 'a b' }, { default_branch: 'nowhere' }]) {
      const refused = await send(ROOT, { ...fields, description: 'typed', ...wrong });
      assert.deepEqual(
        [refused.status, refused.text.includes('typed</textarea>'), refused.text.includes('role="alert"')],
        [422, true, true],
      );
    }
    assert.equal((await alice.must('GET', '/repos/acme/box')).description, '<b>bold');
  });

  it('switch units, and how pull requests are merged', async () => {
    const units = { has_code: 'on', has_pull_requests: 'on', allow_squash_merge: 'on', default_merge_style: 'squash' };
    assert.equal((await send(ROOT, units, `${ROOT}/units`)).location, ROOT);
    const { has_issues, has_wiki, has_pull_requests, allow_squash_merge, allow_merge_commits, default_merge_style } = await alice.must(
      'GET',
      '/repos/acme/box',
    );
    assert.deepEqual([has_issues, has_wiki, has_pull_requests, allow_squash_merge, allow_merge_commits], [false, false, true, true, false]);
    assert.equal(default_merge_style, 'squash');
  });

  it('keep an external tracker that was not switched', async () => {
    const tracker = { external_tracker_url: 'https://example.com', external_tracker_format: 'https://example.com/{index}' };
    await alice.must('PATCH', '/repos/acme/box', { has_issues: true, external_tracker: tracker });
    await send(ROOT, { has_code: 'on', has_issues: 'on' }, `${ROOT}/units`);
    assert.equal((await alice.must('GET', '/repos/acme/box')).external_tracker.external_tracker_url, 'https://example.com');
  });

  it('hide and archive', async () => {
    await send(ROOT, {}, `${ROOT}/visibility`);
    await send(ROOT, {}, `${ROOT}/archive`);
    const { private: isPrivate, archived } = await alice.must('GET', '/repos/acme/box');
    assert.deepEqual([isPrivate, archived], [true, true]);
    await send(ROOT, {}, `${ROOT}/archive`);
    await send(ROOT, {}, `${ROOT}/visibility`);
    const after = await alice.must('GET', '/repos/acme/box');
    assert.deepEqual([after.private, after.archived], [false, false]);
  });

  it('lead on after a rename, a transfer and the end, with the name typed', async () => {
    await alice.must('POST', '/user/repos', { name: 'old' });
    assert.equal((await send('/alice/old/settings', { name: 'new' })).location, '/alice/new/settings');
    const transfer = (name: string) => send('/alice/new/settings', { new_owner: 'acme', name }, '/alice/new/settings/transfer');
    assert.equal((await transfer('old')).status, 422);
    assert.equal((await transfer('new')).location, '/acme/new');
    const remove = (name: string) => send('/acme/new/settings', { name }, '/acme/new/settings/delete');
    assert.equal((await remove('other')).status, 422);
    assert.equal((await remove('new')).location, '/acme');
    assert.equal((await alice.get('/repos/acme/new')).status, 404);
  });
});

describe('collaborators and teams', () => {
  const PAGE = `${ROOT}/collaboration`;

  it('are added, changed and removed', async () => {
    await send(PAGE, { user: 'mallory', permission: 'write' }, `${PAGE}/add`);
    await send(PAGE, { user: 'mallory', permission: 'read' }, `${PAGE}/add`);
    const { permission } = await alice.must('GET', '/repos/acme/box/collaborators/mallory/permission');
    assert.equal(permission, 'read');
    for (const wrong of [
      { user: '<i>nobody', permission: 'read' },
      { user: 'mallory', permission: 'owner' },
    ]) {
      const refused = await send(PAGE, wrong, `${PAGE}/add`);
      assert.deepEqual([refused.status, refused.text.includes('<i>')], [422, false]);
    }
    await send(PAGE, { user: 'mallory' }, `${PAGE}/remove`);
    assert.equal((await alice.get('/repos/acme/box/collaborators/mallory')).status, 404);
  });

  it('have the teams of the organization', async () => {
    await alice.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] });
    await send(PAGE, { team: 'crew' }, `${PAGE}/teams/add`);
    assert.equal((await alice.get('/repos/acme/box/teams/crew')).status, 200);
    assert.equal((await send(PAGE, { team: 'crew' }, `${PAGE}/teams/add`)).status, 422);
    await send(PAGE, { team: 'crew' }, `${PAGE}/teams/remove`);
    assert.equal((await alice.get('/repos/acme/box/teams/crew')).status, 404);
  });
});

describe('the settings of a repository', () => {
  it('are for who administers it', async () => {
    const stranger = await signedIn('mallory');
    const manager = await signedIn('manager');
    for (const page of ['', '/collaboration']) {
      assert.match((await new Browser(t.url).get(ROOT + page)).location, /^\/user\/login\?/, page);
      assert.equal((await stranger.get(ROOT + page)).status, 403, page);
      assert.equal((await stranger.get(`/acme/hidden/settings${page}`)).status, 404, page);
      assert.equal((await manager.get(ROOT + page)).status, 200, page);
      assert.equal((await browser.send('POST', ROOT + page, { fields: { name: 'x' } })).status, page === '' ? 403 : 405, page);
    }
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await stranger.get('/acme/box')).text) ?? [];
    const forms = ['', '/units', '/visibility', '/archive', '/transfer', '/delete', '/collaboration/add', '/collaboration/remove'];
    for (const form of [...forms, '/collaboration/teams/add', '/collaboration/teams/remove']) {
      const fields = { _token: token, name: 'box', user: 'mallory', permission: 'admin', new_owner: 'mallory', private: 'true' };
      assert.equal((await stranger.send('POST', ROOT + form, { fields })).status, 403, form);
    }
    const page = await manager.get(ROOT);
    assert.ok(!page.text.includes(`${ROOT}/delete`));
    const [, own = ''] = /name="_token" value="([^"]*)"/.exec(page.text) ?? [];
    for (const form of ['transfer', 'delete']) {
      const fields = { _token: own, name: 'box', new_owner: 'manager' };
      assert.equal((await manager.send('POST', `${ROOT}/${form}`, { fields })).status, 403, form);
    }
    assert.equal((await alice.must('GET', '/repos/acme/box')).private, false);
  });
});
