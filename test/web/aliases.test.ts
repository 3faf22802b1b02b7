// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
await alice.must('POST', '/user/repos', { name: 'forge', private: true, auto_init: true, default_branch: 'main' });
await alice.must('POST', '/orgs', { username: 'acme' });
await alice.must('POST', '/repos/alice/forge/contents/a.txt', { content: '', message: 'Add', new_branch: 'next' });
await alice.must('POST', '/repos/alice/forge/pulls', { title: 'A change', head: 'next', base: 'main' });
await alice.must('POST', '/repos/alice/forge/issues', { title: 'An issue' });
const { commit } = await alice.must('GET', '/repos/alice/forge/branches/main');
const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('mallory', PASSWORD);

describe('URLs of other servers', () => {
  it('lead to the pages of a repository, for who may see it', async () => {
    for (const [from, to] of [
      [`cherry-pick/${commit.id}`, `_cherrypick/${commit.id}/main`],
      ['commits', 'commits/branch/main'],
      ['contributors', 'activity/contributors'],
      ['graphs/contributors?from=x', 'activity/contributors?from=x'],
      ['network/members', 'forks'],
      ['pull/1', 'pulls/1'],
      ['pull/1/files', 'pulls/1/files'],
      ['pulse', 'activity'],
      ['settings/hooks/slack/new', 'settings/hooks/new?type=slack'],
      ['blame/main/README.md', 'blame/branch/main/README.md'],
      ['find/main', 'find/branch/main'],
      ['pulls/2', 'issues/2'],
      ['render/branch/main/README.md', 'src/branch/main/README.md'],
      ['stargazers', 'stars'],
      ['wiki/_pages', 'wiki?action=_pages'],
    ] as const) {
      const found = await owner.get(`/alice/forge/${from}`);
      assert.deepEqual([found.status, found.location], [303, `/alice/forge/${to}`], from);
      assert.ok([200, 303].includes((await owner.get(found.location)).status), to);
      const strange = await stranger.get(`/alice/forge/${from}`);
      assert.equal((strange.location ? await stranger.get(strange.location) : strange).status, 404, from);
    }
  });

  it('lead to the pages of accounts, organizations and the instance', async () => {
    const { avatar_url: avatar } = await alice.must('GET', '/users/alice');
    for (const [from, to] of [
      ['/alice/forge.git', '/alice/forge'],
      ['/alice/forge.wiki', '/alice/forge/wiki'],
      ['/alice/-/repositories', '/alice?tab=repositories'],
      ['/org/acme', '/acme'],
      ['/org/acme/dashboard', '/acme?tab=activity'],
      ['/org/acme/dashboard/owners', '/acme?tab=activity'],
      ['/org/acme/issues/owners', '/org/acme/issues'],
      ['/user/avatar/alice/64', avatar.replace(t.url, '/')],
      ['/user/settings/profile', '/user/settings'],
    ] as const) {
      const { location } = await owner.get(from);
      assert.equal(location, to, from);
      assert.equal((await owner.get(location)).status, 200, to);
    }
    for (const path of ['/user/avatar/none/64', '/user/avatar/alice/x']) assert.equal((await owner.get(path)).status, 404, path);
    const admin = new Browser(t.url);
    await admin.signIn('admin', PASSWORD);
    const { id } = await alice.must('GET', '/user');
    assert.equal((await admin.get('/-/admin/monitor/cron')).location, '/-/admin/monitor');
    assert.equal((await admin.get(`/-/admin/users/${id}`)).location, '/-/admin/users/alice');
    assert.equal((await owner.get(`/-/admin/users/${id}`)).status, (await owner.get('/-/admin/users/none')).status);
  });
});
