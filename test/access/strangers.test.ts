import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import { headersFor } from '../routes/paths.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, mallory] = [await t.user('alice'), await t.user('bob', { keep_email_private: true }), await t.user('mallory')];
const hermit = await t.user('hermit');
for (const [username, visibility] of [
  ['acme', 'public'],
  ['cellar', 'private'],
]) {
  await alice.must('POST', '/orgs', { username, visibility });
  const team = await alice.must('POST', `/orgs/${username}/teams`, {
    name: 'crew',
    permission: 'read',
    units: ['repo.issues', 'repo.code'],
  });
  await alice.must('POST', `/orgs/${username}/repos`, { name: 'demo', auto_init: true, default_branch: 'main' });
  await alice.must('PUT', `/teams/${team.id}/repos/${username}/demo`);
  for (const name of ['bob', 'hermit']) await alice.must('PUT', `/teams/${team.id}/members/${name}`);
}

describe('strangers', () => {
  it('find out by a search for issues neither hidden owners nor teams', async () => {
    const search = async (client: typeof alice, owner: string, team: string) => {
      const { status, text } = await client.get(`/repos/issues/search?owner=${owner}&team=${team}`);
      return `${status} ${text
        .replaceAll(owner, 'OWNER')
        .replaceAll(team, 'TEAM')
        .replace(/org_id \d+/, 'org_id')}`;
    };
    for (const client of [t.anonymous, mallory]) {
      assert.equal(await search(client, 'cellar', 'crew'), await search(client, 'nothing', 'crew'));
      assert.equal(await search(client, 'acme', 'crew'), await search(client, 'acme', 'absent'));
    }
    assert.match(await search(bob, 'cellar', 'crew'), /^200/);
  });

  it('do not see the teams of a repository, nor what a team has', async () => {
    assert.deepEqual(await mallory.must('GET', '/repos/acme/demo/teams'), []);
    assert.equal((await mallory.get('/repos/acme/demo/teams/crew')).status, 404);
    const [, crew] = await bob.must('GET', '/repos/acme/demo/teams');
    assert.equal(crew.name, 'crew');
    const found = async (client: typeof alice) => (await client.must('GET', `/repos/search?team_id=${crew.id}`)).data.length;
    assert.deepEqual([await found(mallory), await found(t.anonymous), await found(bob)], [0, 0, 1]);
  });

  it('find out no hidden membership by what somebody contributes to', async () => {
    const { id } = await bob.must('GET', '/user');
    const found = async (client: typeof alice) => (await client.must('GET', `/repos/search?uid=${id}`)).data.length;
    assert.deepEqual([await found(mallory), await found(t.anonymous), await found(hermit), await found(bob)], [0, 0, 2, 2]);
    await bob.must('PUT', '/orgs/acme/public_members/bob');
    assert.equal(await found(mallory), 1);
    await bob.must('DELETE', '/orgs/acme/public_members/bob');
  });

  it('request no review by a hidden e-mail address', async () => {
    const at = '/repos/acme/demo';
    await alice.must('POST', `${at}/contents/a.txt`, { content: '', new_branch: 'topic' });
    const { number } = await alice.must('POST', `${at}/pulls`, { title: 'A change', head: 'topic', base: 'main' });
    const ask = (address: string) => alice.post(`${at}/pulls/${number}/requested_reviewers`, { reviewers: [address] });
    assert.equal((await ask('bob@example.com')).status, 404);
    assert.equal((await ask('hermit@example.com')).status, 201);
  });

  it('get the same from the list of public members and from the check of one', async () => {
    await hermit.must('PUT', '/orgs/acme/public_members/hermit');
    await t.context.db.updateTable('users').set({ visibility: 'private' }).where('name', '=', 'hermit').execute();
    for (const client of [t.anonymous, mallory]) {
      const logins = (await client.must('GET', '/orgs/acme/public_members')).map(({ login }: { login: string }) => login);
      assert.ok(logins.includes('hermit'));
      assert.equal((await client.get('/orgs/acme/public_members/hermit')).status, 204);
      assert.equal((await client.get('/orgs/cellar/public_members/hermit')).status, 404);
    }
    const moved = await mallory.get('/orgs/acme/members/hermit');
    assert.deepEqual([moved.status, moved.headers.get('location')], [303, '/api/v1/orgs/acme/public_members/hermit']);
    await hermit.must('DELETE', '/orgs/acme/public_members/hermit');
    assert.equal((await mallory.get('/orgs/acme/public_members/hermit')).status, 404);
  });
});

describe('a token without the scope', () => {
  it('reads nothing of a private repository, by whatever route', async () => {
    const token = await alice.token(['read:misc']);
    await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
    await alice.must('POST', '/repos/alice/closed/releases', { tag_name: 'v1' });
    const values: Record<string, string> = {
      owner: 'alice',
      repo: 'closed',
      index: '1',
      '*': 'main/README.md',
      tag: 'v1',
      pageName: 'Home',
      oid: 'a'.repeat(64),
      size: '7',
    };
    const reading = allRoutes.filter(({ method, path }) => method === 'GET' && path.includes('/:owner/:repo'));
    const open: string[] = [];
    for (const { path } of reading) {
      const address = path.replace(
        /:(\w+)(\([^)]*\))?|\*/g,
        (text, name = '*') => values[name] ?? (text === '*' ? 'main/README.md' : 'main'),
      );
      const service = address.endsWith('/info/refs') ? '?service=git-upload-pack' : '';
      const first = await token.get(address + service, { headers: headersFor(address) });
      // What is somewhere else here leads there, whatever repository it is of.
      const { pathname, search } = new URL(first.headers.get('location') ?? '', t.url);
      const { status } = first.status === 303 ? await token.get(`/${pathname}${search}`) : first;
      if (status !== 401 && status !== 403 && status !== 404) open.push(`${status} ${path}`);
    }
    assert.deepEqual(open, []);
    assert.ok(reading.length > 100);
  });

  it('reads its user only with `read:user` or `openid`', async () => {
    const status = async (scope: string) => (await (await alice.token([scope])).get('//login/oauth/userinfo')).status;
    assert.deepEqual([await status('read:misc'), await status('read:user'), await status('all')], [403, 200, 200]);
  });
});

describe('files of a public repository', () => {
  it('are stored by no shared cache where everybody has to sign in', async () => {
    const closed = await testServer({ access: { requireSignInView: true } });
    const carol = await closed.user('carol');
    await carol.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    for (const [client, owner, kept] of [
      [alice, 'acme', /^public/],
      [carol, 'carol', /^private/],
    ] as const) {
      assert.match((await client.get(`//${owner}/demo/raw/branch/main/README.md`)).headers.get('cache-control') ?? '', kept);
    }
  });
});
