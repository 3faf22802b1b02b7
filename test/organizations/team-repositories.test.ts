import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { internalContext } from '../../src/context.ts';
import { createRepository } from '../../src/repositories/create.ts';
import { acmeServer } from './acme.ts';

const { t, owner, anna, bert, stranger, makeTeam } = await acmeServer();

describe('repositories of a team', () => {
  const columnsOf = (team: { id: number }) =>
    t.context.db.selectFrom('teams').select(['repos_count', 'members_count']).where('id', '=', team.id).executeTakeFirstOrThrow();
  const requireUser = (name: string) =>
    t.context.db.selectFrom('users').selectAll().where('lower_name', '=', name).executeTakeFirstOrThrow();
  const makeRepository = async (organization: string, name: string, isPrivate = false) => {
    const actor = await requireUser('owner');
    await createRepository(internalContext(t.server.services, actor), await requireUser(organization), { name, isPrivate });
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
    assert.equal((await owner.must('PATCH', `/teams/${team.id}`, { includes_all_repositories: false })).includes_all_repositories, true);
    await owner.must('PATCH', `/teams/${team.id}`, { permission: 'read', includes_all_repositories: false });
    await owner.must('DELETE', `/teams/${team.id}/repos/acme/alpha`);
    assert.deepEqual([await reposOf(team), (await columnsOf(team)).repos_count], [['beta'], 1]);
    await owner.must('PATCH', `/teams/${team.id}`, { permission: 'read', includes_all_repositories: true });
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
