import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { internalContext } from '../../src/context.ts';
import { createRepository } from '../../src/repositories/create.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const owner = await t.user('owner');
const anna = await t.user('anna');
const bert = await t.user('bert');
const stranger = await t.user('stranger');
await owner.must('POST', '/orgs', { username: 'acme' });

const makeTeam = (name: string, fields: object = { permission: 'read', units: ['repo.code'] }) =>
  owner.must('POST', '/orgs/acme/teams', { name, ...fields });
const ownersTeam = async () => (await owner.must('GET', '/orgs/acme/teams')).find(({ name }: { name: string }) => name === 'Owners');
const isMember = async (name: string) => (await owner.get(`/orgs/acme/members/${name}`)).status === 204;

describe('the access of a team', () => {
  it('is by unit, at the level of the permission', async () => {
    const team = await makeTeam('writers', { permission: 'write', units: ['repo.code', 'REPO.Pulls', 'repo.unheard-of'] });
    assert.equal(team.permission, 'none');
    assert.deepEqual(team.units, ['repo.code', 'repo.pulls']);
    assert.deepEqual(team.units_map, { 'repo.code': 'write', 'repo.pulls': 'write' });
    assert.equal(team.organization.name, 'acme');
  });

  it('is by unit, each at its level, and never that of owners', async () => {
    const team = await makeTeam('mixed', { units_map: { 'repo.code': 'read', 'Repo.Wiki': 'admin', 'repo.issues': 'owner' } });
    assert.deepEqual(team.units_map, { 'repo.code': 'read', 'repo.issues': 'none', 'repo.wiki': 'admin' });
  });

  it('is to everything for administrators', async () => {
    const team = await makeTeam('administrators', { permission: 'admin' });
    assert.deepEqual([team.permission, team.units.length, team.units_map['repo.code']], ['admin', 10, 'admin']);
  });

  it('falls to the level that is asked for when a team of administrators is to be one no longer', async () => {
    const team = await makeTeam('former-admins', { permission: 'admin' });
    const edited = await owner.must('PATCH', `/teams/${team.id}`, { permission: 'read' });
    assert.deepEqual([edited.permission, edited.units_map['repo.code'], edited.units_map['repo.wiki']], ['none', 'read', 'read']);
  });

  it('has to be said', async () => {
    for (const fields of [{}, { permission: 'read' }, { permission: 'read', units: ['repo.unheard-of'] }]) {
      const answer = await owner.post('/orgs/acme/teams', { name: 'idle', ...fields });
      assert.deepEqual([answer.status, answer.json.message], [422, 'units permission should not be empty']);
    }
    for (const fields of [{ permission: 'boss', units: ['repo.code'] }, { units_map: { 'repo.code': 'everything' } }]) {
      assert.equal((await owner.post('/orgs/acme/teams', { name: 'idle', ...fields })).status, 422);
    }
  });
});

describe('the name of a team', () => {
  it('is its own within the organization, whatever its case', async () => {
    await makeTeam('Named');
    const answer = await owner.post('/orgs/acme/teams', { name: 'nAMED', permission: 'read', units: ['repo.code'] });
    assert.equal(answer.status, 422);
    assert.match(answer.json.message, /^team already exists \[org_id: \d+, name: named\]$/);
    assert.equal((await owner.post('/orgs/acme/teams', { name: 'new', permission: 'admin' })).json.message, 'name is reserved [name: new]');
  });

  it('goes to one of two that come at once', async () => {
    const names = ['racer', 'Racer', 'RACER'];
    const answers = await Promise.all(names.map((name) => owner.post('/orgs/acme/teams', { name, permission: 'admin' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  it('changes, but not to that of another', async () => {
    const team = await makeTeam('before');
    assert.equal((await owner.must('PATCH', `/teams/${team.id}`, { name: 'after' })).name, 'after');
    assert.equal((await owner.patch(`/teams/${team.id}`, { name: 'named' })).status, 422);
    assert.equal((await owner.get(`/teams/${team.id}`)).json.name, 'after');
  });
});

describe('the team of owners', () => {
  it('keeps its name, its access and its existence', async () => {
    const team = await ownersTeam();
    const edited = await owner.must('PATCH', `/teams/${team.id}`, {
      name: 'Owners',
      description: 'They own',
      permission: 'read',
      units: ['repo.code'],
      includes_all_repositories: false,
      can_create_org_repo: false,
    });
    assert.deepEqual(
      [edited.permission, edited.includes_all_repositories, edited.can_create_org_repo, edited.description],
      ['owner', true, true, 'They own'],
    );
    assert.equal((await owner.patch(`/teams/${team.id}`, { name: 'Lords' })).status, 422);
    assert.equal((await owner.delete(`/teams/${team.id}`)).status, 422);
  });

  it('keeps its last member', async () => {
    const { id } = await ownersTeam();
    for (const path of [`/teams/${id}/members/owner`, '/orgs/acme/members/owner']) {
      const answer = await owner.delete(path);
      assert.equal(answer.status, 422);
      assert.match(answer.json.message, /^user is the last member of owner team \[uid: \d+\]$/);
    }
    assert.equal((await owner.get(`/teams/${id}/members`)).json.length, 1);
  });

  it('keeps one of two that remove each other at once', async () => {
    const { id } = await ownersTeam();
    await owner.must('PUT', `/teams/${id}/members/bert`);
    const answers = await Promise.all([t.admin.delete(`/teams/${id}/members/bert`), t.admin.delete(`/teams/${id}/members/owner`)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422]);
    const left = (await t.admin.must('GET', `/teams/${id}/members`)).length;
    assert.equal(left, 1);
    await t.admin.must('PUT', `/teams/${id}/members/owner`);
    await t.admin.must('DELETE', `/teams/${id}/members/bert`);
  });
});

describe('members of a team', () => {
  it('come into the organization with their first team and leave it with their last', async () => {
    const [one, two] = [await makeTeam('one'), await makeTeam('two')];
    await owner.must('PUT', `/teams/${one.id}/members/anna`);
    await owner.must('PUT', `/teams/${one.id}/members/anna`);
    await owner.must('PUT', `/teams/${two.id}/members/anna`);
    assert.equal((await owner.get(`/teams/${one.id}/members`)).headers.get('x-total-count'), '1');
    await owner.must('DELETE', `/teams/${one.id}/members/anna`);
    await owner.must('DELETE', `/teams/${one.id}/members/anna`);
    assert.equal((await owner.get(`/teams/${one.id}/members`)).headers.get('x-total-count'), '0');
    assert.equal(await isMember('anna'), true);
    await owner.must('DELETE', `/teams/${two.id}`);
    assert.equal(await isMember('anna'), false);
  });

  it('are people that the organization has not blocked', async () => {
    const team = await makeTeam('guarded');
    await owner.must('POST', '/orgs', { username: 'umbrella' });
    assert.equal((await owner.put(`/teams/${team.id}/members/umbrella`)).status, 422);
    const { db } = t.context;
    const idOf = async (name: string) =>
      (await db.selectFrom('users').select('id').where('lower_name', '=', name).executeTakeFirstOrThrow()).id;
    const block = { blocker_id: await idOf('acme'), blocked_id: await idOf('stranger'), note: '', created_at: 0 };
    await db.insertInto('blocks').values(block).execute();
    const answer = await owner.put(`/teams/${team.id}/members/stranger`);
    assert.deepEqual([answer.status, answer.json.message], [403, 'user is blocked']);
    await db.deleteFrom('blocks').execute();
  });

  it('leave every team with the organization', async () => {
    const teams = [await makeTeam('left'), await makeTeam('right')];
    for (const { id } of teams) await owner.must('PUT', `/teams/${id}/members/bert`);
    await owner.must('DELETE', '/orgs/acme/members/bert');
    for (const { id } of teams) assert.deepEqual((await owner.get(`/teams/${id}/members`)).json, []);
    assert.equal(await isMember('bert'), false);
  });
});

describe('a team that goes', () => {
  it('leaves nothing behind when it is changed at the same time', async () => {
    const team = await makeTeam('fleeting');
    const answers = await Promise.all([
      t.admin.delete(`/teams/${team.id}`),
      t.admin.patch(`/teams/${team.id}`, { description: 'Late' }),
      t.admin.put(`/teams/${team.id}/members/bert`),
    ]);
    for (const { status } of answers) assert.ok(status < 300 || status === 404, String(status));
    assert.equal((await t.admin.get(`/teams/${team.id}`)).status, 404);
    assert.equal(await isMember('bert'), false);
  });
});

describe('who is told of teams', () => {
  it('members of the organization see their names, those of the team what is in them, nobody else anything', async () => {
    const team = await makeTeam('inner');
    const other = await makeTeam('outer');
    await owner.must('PUT', `/teams/${team.id}/members/anna`);
    await owner.must('PUT', `/teams/${other.id}/members/bert`);
    const paths = [`/teams/${team.id}`, `/teams/${team.id}/members`, `/teams/${team.id}/members/anna`];
    for (const path of paths) {
      const statuses = [];
      for (const client of [owner, t.admin, anna, bert, stranger, t.anonymous]) statuses.push((await client.get(path)).status);
      assert.deepEqual(statuses, [200, 200, 200, 403, 404, 401], path);
    }
    for (const path of ['/orgs/acme/teams', '/orgs/acme/teams/search']) {
      const statuses = [];
      for (const client of [owner, t.admin, anna, bert, stranger, t.anonymous]) statuses.push((await client.get(path)).status);
      assert.deepEqual(statuses, [200, 200, 200, 200, 403, 401], path);
    }
    const found = await anna.must('GET', '/orgs/acme/teams/search');
    assert.deepEqual(
      found.data.map(({ name }: { name: string }) => name),
      ['inner'],
    );
  });

  it('a token for public things does not get to the teams of the caller', async () => {
    const token = await anna.token(['public-only', 'all']);
    assert.equal((await token.get('/user/teams')).status, 403);
    assert.equal((await anna.get('/user/teams')).json[0].organization.name, 'acme');
    await owner.must('PATCH', '/orgs/acme', { visibility: 'private' });
    const mine = await owner.token(['public-only', 'all']);
    for (const path of ['/orgs/acme', '/orgs/acme/teams', '/orgs/acme/members', `/teams/${(await ownersTeam()).id}`]) {
      assert.equal((await mine.get(path)).status, 403, path);
    }
    await owner.must('PATCH', '/orgs/acme', { visibility: 'public' });
  });
});

describe('searching teams', () => {
  it('looks at names and descriptions, without regard to case', async () => {
    await makeTeam('finders', { permission: 'admin', description: 'Keepers of the Seal' });
    const names = async (query: string) =>
      (await t.admin.must('GET', `/orgs/acme/teams/search?${query}`)).data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('q=FIND'), ['finders']);
    assert.deepEqual(await names('q=seal'), ['finders']);
    assert.deepEqual(await names('q=seal&include_desc=false'), []);
    assert.deepEqual(await names('limit=1&page=2'), (await names('')).slice(1, 2));
  });
});

describe('repositories of a team', () => {
  const columnsOf = (team: { id: number }) =>
    t.context.db.selectFrom('teams').select(['repos_count', 'members_count']).where('id', '=', team.id).executeTakeFirstOrThrow();
  const userNamed = (name: string) => t.context.db.selectFrom('users').selectAll().where('lower_name', '=', name).executeTakeFirstOrThrow();
  const makeRepository = async (organization: string, name: string, isPrivate = false) => {
    const actor = await userNamed('owner');
    await createRepository(internalContext(t.server.services, actor), await userNamed(organization), { name, isPrivate });
  };
  const reposOf = async (team: { id: number }) =>
    (await t.admin.must('GET', `/teams/${team.id}/repos`)).map(({ name }: { name: string }) => name);

  it('are given and taken by who administers them, and counted', async () => {
    const team = await makeTeam('keepers', { permission: 'write', units: ['repo.code'] });
    await owner.must('PUT', `/teams/${team.id}/members/anna`);
    for (const name of ['alpha', 'beta']) await makeRepository('acme', name, true);
    assert.equal((await anna.get('/repos/acme/alpha')).status, 404);
    await owner.must('PUT', `/teams/${team.id}/repos/acme/alpha`);
    await owner.must('PUT', `/teams/${team.id}/repos/ACME/Alpha`);
    assert.deepEqual((await anna.must('GET', '/repos/acme/alpha')).permissions, { admin: false, push: true, pull: true });
    assert.equal((await anna.get('/repos/acme/beta')).status, 404);
    assert.equal((await columnsOf(team)).repos_count, 1);
    const refused = await anna.put(`/teams/${team.id}/repos/acme/beta`);
    assert.deepEqual([refused.status, refused.json.message], [403, 'Must have admin-level access to the repository']);
    assert.equal((await anna.delete(`/teams/${team.id}/repos/acme/alpha`)).status, 403);
    await owner.must('DELETE', `/teams/${team.id}/repos/acme/alpha`);
    await owner.must('DELETE', `/teams/${team.id}/repos/acme/alpha`);
    assert.equal((await columnsOf(team)).repos_count, 0);
    assert.equal((await anna.get('/repos/acme/alpha')).status, 404);
  });

  it('are of the organization alone', async () => {
    const team = await makeTeam('borders');
    await owner.must('POST', '/user/repos', { name: 'own' });
    await owner.must('POST', '/orgs', { username: 'elsewhere' });
    await makeRepository('elsewhere', 'alpha');
    for (const path of ['owner/own', 'elsewhere/own', 'acme/own', 'acme/none']) {
      assert.equal((await owner.put(`/teams/${team.id}/repos/${path}`)).status, 404, path);
    }
  });

  it('are found whatever the path has for the organization', async () => {
    const team = await makeTeam('any-word');
    for (const word of ['elsewhere', 'owner', 'nobody-of-this-name', String(team.id)]) {
      const path = `/teams/${team.id}/repos/${word}/alpha`;
      await owner.must('PUT', path);
      assert.equal((await owner.must('GET', path)).full_name, 'acme/alpha');
      assert.equal((await owner.delete(path)).status, 204);
      assert.deepEqual(await reposOf(team), []);
    }
  });

  it('are all of them for a team that includes all, those to come too', async () => {
    const team = await makeTeam('everything', { permission: 'read', units: ['repo.code'], includes_all_repositories: true });
    const before = await reposOf(team);
    assert.deepEqual(before, ['alpha', 'beta']);
    await makeRepository('acme', 'gamma');
    assert.deepEqual(await reposOf(team), ['alpha', 'beta', 'gamma']);
    assert.equal((await columnsOf(team)).repos_count, 3);
    assert.equal((await owner.delete(`/teams/${team.id}/repos/acme/alpha`)).status, 204);
    assert.equal((await reposOf(team)).length, 3);
    await owner.must('DELETE', '/repos/acme/gamma');
    assert.deepEqual([await reposOf(team), (await columnsOf(team)).repos_count], [before, 2]);
    await owner.must('PATCH', `/teams/${team.id}`, { includes_all_repositories: false });
    await owner.must('DELETE', `/teams/${team.id}/repos/acme/alpha`);
    assert.deepEqual([await reposOf(team), (await columnsOf(team)).repos_count], [['beta'], 1]);
    await owner.must('PATCH', `/teams/${team.id}`, { includes_all_repositories: true });
    assert.deepEqual([await reposOf(team), (await columnsOf(team)).repos_count], [before, 2]);
  });

  it('are counted right when teams, repositories and members come at once', async () => {
    await owner.must('POST', '/orgs', { username: 'busy' });
    const team = (name: string) =>
      owner.must('POST', '/orgs/busy/teams', { name, permission: 'read', units: ['repo.code'], includes_all_repositories: true });
    const first = await team('first');
    const members = async (name: string) => {
      await t.user(name);
      await owner.must('PUT', `/teams/${first.id}/members/${name}`);
    };
    await Promise.all([
      ...['a', 'b', 'c'].map((name) => makeRepository('busy', name)),
      ...['second', 'third'].map(team),
      ...['m1', 'm2', 'm3'].map(members),
    ]);
    const teams = await t.context.db
      .selectFrom('teams')
      .innerJoin('users', 'users.id', 'teams.organization_id')
      .select(['teams.name', 'teams.repos_count', 'teams.members_count'])
      .where('users.lower_name', '=', 'busy')
      .orderBy('teams.name')
      .execute();
    assert.deepEqual(
      teams.map((row) => [row.name, row.repos_count, row.members_count]),
      [
        ['Owners', 3, 1],
        ['first', 3, 3],
        ['second', 3, 0],
        ['third', 3, 0],
      ],
    );
    for (const name of ['a', 'b', 'c']) assert.equal((await owner.must('GET', `/repos/busy/${name}`)).watchers_count, 4);
  });

  it('are watched by who is in the team, until they are not', async () => {
    const team = await makeTeam('watchers');
    await makeRepository('acme', 'watched', true);
    await owner.must('PUT', `/teams/${team.id}/repos/acme/watched`);
    await owner.must('PUT', `/teams/${team.id}/members/bert`);
    const watches = async () => [
      (await bert.get('/repos/acme/watched/subscription')).status,
      (await owner.must('GET', '/repos/acme/watched')).watchers_count,
    ];
    assert.deepEqual(await watches(), [200, 2]);
    await owner.must('DELETE', `/teams/${team.id}/members/bert`);
    await t.settled();
    assert.equal((await owner.must('GET', '/repos/acme/watched')).watchers_count, 1);
    await owner.must('PUT', `/teams/${team.id}/members/bert`);
    assert.deepEqual(await watches(), [200, 2]);
    await owner.must('DELETE', `/teams/${team.id}/repos/acme/watched`);
    await t.settled();
    assert.equal((await owner.must('GET', '/repos/acme/watched')).watchers_count, 1);
  });

  it('are watched no longer by who leaves the organization, also those that are public', async () => {
    const parting = await t.user('parting');
    await owner.must('POST', '/orgs', { username: 'leaving' });
    await makeRepository('leaving', 'left');
    const makeTeamOf = (name: string) => owner.must('POST', '/orgs/leaving/teams', { name, permission: 'read', units: ['repo.code'] });
    const watchers = async () => (await owner.must('GET', '/repos/leaving/left')).watchers_count;
    const [first, second] = [await makeTeamOf('leavers'), await makeTeamOf('remainers')];
    for (const leave of [
      () => owner.must('DELETE', `/teams/${second.id}/members/parting`),
      () => owner.must('DELETE', `/teams/${second.id}`),
    ]) {
      for (const { id } of [first, second]) await owner.must('PUT', `/teams/${id}/members/parting`);
      await parting.must('PUT', '/repos/leaving/left/subscription');
      await owner.must('DELETE', `/teams/${first.id}/members/parting`);
      assert.equal(await watchers(), 2);
      await leave();
      assert.deepEqual([await watchers(), (await parting.get('/repos/leaving/left/subscription')).status], [1, 404]);
    }
    await makeRepository('leaving', 'shared', true);
    await owner.must('PUT', '/repos/leaving/shared/collaborators/parting', { permission: 'read' });
    await parting.must('PUT', '/repos/leaving/shared/subscription');
    await owner.must('PUT', `/teams/${first.id}/members/parting`);
    await owner.must('DELETE', '/orgs/leaving/members/parting');
    await t.settled();
    assert.equal((await parting.get('/repos/leaving/shared/subscription')).status, 200);
    await owner.must('PUT', `/teams/${first.id}/repos/leaving/shared`);
    await owner.must('PUT', `/teams/${first.id}/members/parting`);
    await owner.must('DELETE', '/orgs/leaving/members/parting');
    assert.equal((await parting.get('/repos/leaving/shared')).status, 200, 'a collaborator keeps the access');
    assert.equal((await parting.get('/repos/leaving/shared/subscription')).status, 404);
  });

  it('are watched no longer by who the organization hides itself from', async () => {
    await owner.must('POST', '/orgs', { username: 'fading' });
    await makeRepository('fading', 'open');
    await stranger.must('PUT', '/repos/fading/open/subscription');
    assert.equal((await owner.must('GET', '/repos/fading/open')).watchers_count, 2);
    await owner.must('PATCH', '/orgs/fading', { visibility: 'private' });
    await t.settled();
    assert.equal((await owner.must('GET', '/repos/fading/open')).watchers_count, 1);
  });

  it('are the public ones to a token for public things', async () => {
    const team = await makeTeam('open-and-closed', { permission: 'admin', includes_all_repositories: true });
    await makeRepository('acme', 'open');
    const token = await owner.token(['public-only', 'all']);
    const seen = await token.get(`/teams/${team.id}/repos`);
    assert.deepEqual(
      seen.json.map(({ name }: { name: string }) => name),
      ['open'],
    );
    assert.equal((await token.get(`/teams/${team.id}/repos/acme/alpha`)).status, 403);
    assert.equal((await token.get(`/teams/${team.id}/repos/acme/open`)).status, 200);
    assert.equal((await token.delete(`/teams/${team.id}/repos/acme/alpha`)).status, 403);
  });
});
