import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
for (const name of ['manager', 'member', 'stranger', 'bob']) await t.user(name);
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/orgs', { username: 'acme', full_name: HOSTILE, description: HOSTILE, visibility: 'private' });
await alice.must('POST', '/orgs/acme/repos', { name: 'rocket', description: HOSTILE });
await alice.must('POST', '/orgs/acme/labels', { name: HOSTILE, color: 'ff0000', description: HOSTILE });
const admins = await alice.must('POST', '/orgs/acme/teams', { name: 'admins', permission: 'admin' });
const crew = await alice.must('POST', '/orgs/acme/teams', { name: 'crew', description: HOSTILE, units_map: { 'repo.code': 'read' } });
await alice.must('PUT', `/teams/${admins.id}/members/manager`);
await alice.must('PUT', `/teams/${crew.id}/members/member`);

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const owner = await signedIn('alice');
const member = await signedIn('member');
const ROOT = '/org/acme';
const SETTINGS = ['', '/labels', '/hooks', '/hooks/new', '/actions/runners', '/actions/secrets', '/actions/variables'].concat([
  '/applications',
  '/blocked_users',
  '/audit',
]);
const send = async (page: string, fields: Record<string, string>, action = page, browser = owner): Promise<PageResponse> =>
  browser.submit(await browser.get(page), fields, action);
/** Sends what no page offers the sender, with the token of another page. */
const forge = async (browser: Browser, action: string, fields: Record<string, string> = {}) =>
  (await browser.submit(await browser.get('/user/settings'), {}, '/user/settings')).status === 303 &&
  (await browser.send('POST', action, { fields: { ...(await tokenOf(browser)), ...fields } })).status;

async function tokenOf(browser: Browser): Promise<Record<string, string>> {
  const { text } = await browser.get('/user/settings');
  return { _token: /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

describe('the pages of an organization', () => {
  it('show its settings to its owners alone', async () => {
    const [manager, stranger] = [await signedIn('manager'), await signedIn('stranger')];
    for (const page of SETTINGS.map((rest) => `${ROOT}/settings${rest}`).concat(`${ROOT}/teams/new`, `${ROOT}/teams/crew/edit`)) {
      const shown = await owner.get(page);
      assert.equal(shown.status, 200, page);
      assert.ok(!shown.text.includes(HOSTILE), page);
      assert.deepEqual(
        [(await manager.get(page)).status, (await stranger.get(page)).status],
        [page.includes('crew') ? 404 : 403, 404],
        page,
      );
      assert.match((await new Browser(t.url).get(page)).location, /user\/login/);
    }
    const forms = ['/settings', '/settings/rename', '/settings/delete', '/settings/visibility', '/settings/hooks/new', '/teams/new'].concat(
      ['/settings/actions/secrets/set', '/settings/actions/runners/reset_registration_token', '/settings/blocked_users'],
      ['/settings/applications/oauth2', '/members/action/remove', '/teams/crew/delete', '/teams/crew/action/add', '/settings/labels'],
    );
    for (const form of forms) {
      const body = { name: 'acme', new_name: 'evil', user: 'manager', uid: '2', visibility: 'public' };
      assert.ok([403, 404].includes(Number(await forge(manager, ROOT + form, body))), form);
      assert.equal(await forge(stranger, ROOT + form, body), 404, form);
    }
    assert.equal((await alice.must('GET', '/orgs/acme')).visibility, 'private');
  });

  it('change what it says of itself', async () => {
    const page = `${ROOT}/settings`;
    const fields = { full_name: 'Acme', email: 'a@example.com', description: 'Rockets', website: 'https://acme.example', location: 'Here' };
    assert.equal((await send(page, { ...fields, repo_admin_change_team_access: 'on' })).location, page);
    const { full_name, email, description, website, location, repo_admin_change_team_access } = await alice.must('GET', '/orgs/acme');
    assert.deepEqual(
      { full_name, email, description, website, location, repo_admin_change_team_access },
      { ...fields, repo_admin_change_team_access: true },
    );
    const refused = await send(page, { ...fields, full_name: 'Typed', website: 'javascript:alert(1)' });
    assert.deepEqual([refused.status, refused.text.includes('value="Typed"')], [422, true]);
    assert.equal((await send(page, { visibility: 'limited' }, `${page}/visibility`)).status, 303);
    assert.equal((await send(page, { visibility: 'other' }, `${page}/visibility`)).status, 422);
    assert.equal((await alice.must('GET', '/orgs/acme')).visibility, 'limited');
  });

  it('have a picture', async () => {
    const page = `${ROOT}/settings`;
    const { png } = await picture();
    const upload = async (content: Blob) => {
      const form = new FormData();
      form.set('_token', (await tokenOf(owner))._token ?? '');
      form.set('avatar', content, 'x.png');
      const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      return (
        await fetch(`${t.url}${page.slice(1)}/avatar`.replace('//org', '/org'), {
          method: 'POST',
          body: form,
          redirect: 'manual',
          headers: { cookie, origin: new URL(t.url).origin },
        })
      ).status;
    };
    const before = (await alice.must('GET', '/orgs/acme')).avatar_url;
    assert.equal(await upload(new Blob(['no picture'])), 422);
    assert.equal((await alice.must('GET', '/orgs/acme')).avatar_url, before);
    assert.equal(await upload(new Blob([png])), 303);
    assert.notEqual((await alice.must('GET', '/orgs/acme')).avatar_url, before);
    assert.equal((await send(page, {}, `${page}/avatar/delete`)).status, 303);
    assert.equal((await alice.must('GET', '/orgs/acme')).avatar_url, before);
  });

  it('let owners and members decide about memberships', async () => {
    const page = `${ROOT}/members`;
    const id = Number((await alice.must('GET', '/users/member')).id);
    assert.match((await owner.get(page)).text, /No two-factor sign-in/);
    assert.equal((await send(page, { uid: String(id) }, `${page}/action/public`, member)).location, page);
    assert.equal((await alice.get('/orgs/acme/public_members/member')).status, 204);
    const aliceId = String((await alice.must('GET', '/user')).id);
    assert.equal(await forge(member, `${page}/action/public`, { uid: aliceId }), 403);
    const last = await send(page, {}, `${page}/action/leave`);
    assert.deepEqual([last.status, last.text.includes('role="alert"')], [422, true]);
    await alice.must('PUT', `/teams/${crew.id}/members/bob`);
    const bob = String((await alice.must('GET', '/users/bob')).id);
    assert.equal((await owner.send('POST', `${page}/action/remove`, { fields: { ...(await tokenOf(owner)), uid: bob } })).status, 303);
    assert.equal((await alice.get('/orgs/acme/members/bob')).status, 404);
  });

  it('make, change and delete teams', async () => {
    const page = `${ROOT}/teams/new`;
    const fields = {
      name: 'pilots',
      description: 'Fly',
      permission: 'none',
      repo_access: 'selected',
      unit_code: 'write',
      unit_issues: 'read',
    };
    assert.equal((await send(page, { ...fields, name: 'a b' })).status, 422);
    assert.equal((await send(page, fields)).location, `${ROOT}/teams/pilots`);
    const team = (await alice.must('GET', '/orgs/acme/teams')).find(({ name }: { name: string }) => name === 'pilots');
    assert.deepEqual([team.units_map['repo.code'], team.units_map['repo.issues'], team.permission], ['write', 'read', 'none']);
    const edit = `${ROOT}/teams/pilots/edit`;
    assert.equal((await send(edit, { ...fields, permission: 'admin', repo_access: 'all', can_create_org_repo: 'on' })).status, 303);
    const changed = await alice.must('GET', `/teams/${team.id}`);
    assert.deepEqual([changed.permission, changed.includes_all_repositories, changed.can_create_org_repo], ['admin', true, true]);
    await send(edit, { ...fields });
    assert.equal((await alice.must('GET', `/teams/${team.id}`)).permission, 'none');
    const remove = `${ROOT}/teams/pilots/delete`;
    assert.equal((await send(edit, { name: 'pilot' }, remove)).status, 422);
    assert.equal((await send(edit, { name: 'pilots' }, remove)).location, `${ROOT}/teams`);
    assert.equal((await alice.get(`/teams/${team.id}`)).status, 404);
    assert.equal(await forge(owner, `${ROOT}/teams/owners/delete`, { name: 'Owners' }), 422);
  });

  it('give teams members and repositories', async () => {
    const page = `${ROOT}/teams/crew`;
    assert.ok(!(await member.get(page)).text.includes(`${page}/action/add`));
    assert.equal(await forge(member, `${page}/action/add`, { user: 'bob' }), 404);
    assert.equal((await send(page, { user: 'nobody-there' }, `${page}/action/add`)).status, 422);
    assert.equal((await send(page, { user: 'bob' }, `${page}/action/add`)).location, page);
    assert.equal((await alice.get(`/teams/${crew.id}/members/bob`)).status, 200);
    const repositories = `${page}/repositories`;
    assert.equal((await send(repositories, { repo_name: 'missing' }, `${page}/action/repo/add`)).status, 422);
    assert.equal(await forge(member, `${page}/action/repo/add`, { repo_name: 'rocket' }), 422);
    assert.equal((await alice.get(`/teams/${crew.id}/repos/acme/rocket`)).status, 404);
    assert.equal((await send(repositories, { repo_name: 'acme/rocket' }, `${page}/action/repo/add`)).location, repositories);
    assert.ok(!(await owner.get(repositories)).text.includes(HOSTILE));
    assert.equal((await send(repositories, {}, `${page}/action/repo/remove`)).status, 303);
    const bob = await signedIn('bob');
    assert.equal((await send(page, {}, `${page}/action/leave`, bob)).location, '/acme');
    assert.equal((await alice.get('/orgs/acme/members/bob')).status, 404);
  });

  it('have labels, blocked users, and applications whose secret is shown once', async () => {
    const labels = `${ROOT}/settings/labels`;
    assert.equal(
      (await owner.send('POST', labels, { fields: { ...(await tokenOf(owner)), do: 'create', name: 'bug', color: '#00ff00' } })).status,
      303,
    );
    assert.ok((await alice.must('GET', '/orgs/acme/labels')).some(({ name }: { name: string }) => name === 'bug'));
    const blocks = `${ROOT}/settings/blocked_users`;
    assert.equal((await send(blocks, { user: 'stranger', note: HOSTILE })).location, blocks);
    assert.equal((await alice.get('/orgs/acme/blocks/stranger')).status, 204);
    assert.equal((await send(blocks, { user: 'nobody-there' })).status, 422);
    await owner.send('POST', blocks, { fields: { ...(await tokenOf(owner)), action: 'unblock', user: 'stranger' } });
    assert.equal((await alice.get('/orgs/acme/blocks/stranger')).status, 404);
    const page = `${ROOT}/settings/applications`;
    const app = { name: HOSTILE, redirect_uris: 'https://app.example/back\nhttps://app.example/other', confidential_client: 'on' };
    assert.equal((await send(page, { ...app, redirect_uris: 'no address' }, `${page}/oauth2`)).status, 422);
    const made = await send(page, app, `${page}/oauth2`);
    const secret = /value="(gto_[^"]+)"/.exec(made.text)?.[1] ?? '';
    assert.deepEqual([made.status, secret !== ''], [200, true]);
    const one = /href="([^"]*\/oauth2\/\d+)"/.exec((await owner.get(page)).text)?.[1] ?? '';
    const shown = await owner.get(one);
    assert.deepEqual(
      [shown.text.includes(secret), shown.text.includes(HOSTILE), shown.text.includes('https://app.example/other')],
      [false, false, true],
    );
    assert.equal((await send(one, { ...app, name: 'App' })).status, 303);
    const renewed = await send(one, {}, `${one}/regenerate_secret`);
    assert.ok(/value="gto_/.test(renewed.text) && !renewed.text.includes(secret));
    assert.equal((await send(one, {}, `${one}/delete`)).location, page);
    assert.equal((await owner.get(one)).status, 404);
  });

  it('record who changed what', async () => {
    const { text } = await owner.get(`${ROOT}/settings/audit`);
    for (const action of ['organization.edit', 'team.create', 'team.member.add', 'user.block', 'oauth2-application.create'])
      assert.ok(text.includes(`<code>${action}</code>`), action);
    assert.equal((await owner.get(`${ROOT}/settings/audit?since=yesterday`)).status, 422);
  });

  it('rename it, and delete it when its name is typed', async () => {
    const page = `${ROOT}/settings`;
    assert.equal((await send(page, { new_name: 'umbrella', name: 'wrong' }, `${page}/rename`)).status, 422);
    assert.equal((await send(page, { new_name: 'bob', name: 'acme' }, `${page}/rename`)).status, 422);
    assert.equal((await send(page, { new_name: 'umbrella', name: 'acme' }, `${page}/rename`)).location, '/org/umbrella/settings');
    assert.match((await owner.get(`${ROOT}/members`)).location, /umbrella/);
    const now = '/org/umbrella/settings';
    assert.equal((await send(now, { name: 'umbrella' }, `${now}/delete`)).status, 422);
    await alice.must('DELETE', '/repos/umbrella/rocket');
    await t.settled();
    assert.equal((await send(now, { name: 'umbrella' }, `${now}/delete`)).location, '/');
    assert.equal((await alice.get('/orgs/umbrella')).status, 404);
  });
});

/** A picture of a few pixels. */
async function picture(): Promise<{ png: Uint8Array<ArrayBuffer> }> {
  const text = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return { png: Uint8Array.from(Buffer.from(text, 'base64')) };
}
