import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acmeServer } from './acme.ts';

const { t, owner, anna, bert, stranger, makeTeam } = await acmeServer();
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
      const response = await owner.post('/orgs/acme/teams', { name: 'idle', ...fields });
      assert.deepEqual([response.status, response.json.message], [422, 'units permission should not be empty']);
    }
  });

  it('is none for a word that is no permission, as in Gitea', async () => {
    const boss = await makeTeam('bosses', { permission: 'boss', units: ['repo.code'] });
    assert.deepEqual([boss.permission, boss.units_map], ['none', { 'repo.code': 'none' }]);
    const mixed = await makeTeam('words', { permission: 'boss', units_map: { 'repo.code': 'everything', 'repo.wiki': 'read' } });
    assert.deepEqual([mixed.permission, mixed.units_map], ['none', { 'repo.code': 'none', 'repo.wiki': 'read' }]);
    const administrators = await makeTeam('were-admins', { permission: 'admin' });
    const edited = await owner.must('PATCH', `/teams/${administrators.id}`, { permission: 'boss' });
    assert.deepEqual([edited.permission, edited.units_map['repo.code']], ['none', 'none']);
  });
});

describe('the name of a team', () => {
  it('is its own within the organization, whatever its case', async () => {
    await makeTeam('Named');
    const response = await owner.post('/orgs/acme/teams', { name: 'nAMED', permission: 'read', units: ['repo.code'] });
    assert.equal(response.status, 422);
    assert.match(response.json.message, /^team already exists \[org_id: \d+, name: named\]$/);
    assert.equal((await owner.post('/orgs/acme/teams', { name: 'new', permission: 'admin' })).json.message, 'name is reserved [name: new]');
  });

  it('goes to one of two that come at once', async () => {
    const names = ['racer', 'Racer', 'RACER'];
    const responses = await Promise.all(names.map((name) => owner.post('/orgs/acme/teams', { name, permission: 'admin' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422]);
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
      const response = await owner.delete(path);
      assert.equal(response.status, 422);
      assert.match(response.json.message, /^user is the last member of owner team \[uid: \d+\]$/);
    }
    assert.equal((await owner.get(`/teams/${id}/members`)).json.length, 1);
  });

  it('keeps one of two that remove each other at once', async () => {
    const { id } = await ownersTeam();
    await owner.must('PUT', `/teams/${id}/members/bert`);
    const responses = await Promise.all([t.admin.delete(`/teams/${id}/members/bert`), t.admin.delete(`/teams/${id}/members/owner`)]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 422]);
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
    const response = await owner.put(`/teams/${team.id}/members/stranger`);
    assert.deepEqual([response.status, response.json.message], [403, 'user is blocked']);
    await db.deleteFrom('blocks').execute();
  });

  it('are people who have not blocked the owner that adds them', async () => {
    const team = await makeTeam('unwanted');
    await anna.must('PUT', '/user/blocks/owner');
    const response = await owner.put(`/teams/${team.id}/members/anna`);
    assert.deepEqual([response.status, response.json.message], [403, 'user is blocked']);
    assert.equal(await isMember('anna'), false);
    await anna.must('DELETE', '/user/blocks/owner');
    await owner.must('PUT', `/teams/${team.id}/members/anna`);
    await owner.must('DELETE', `/teams/${team.id}`);
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
    const responses = await Promise.all([
      t.admin.delete(`/teams/${team.id}`),
      t.admin.patch(`/teams/${team.id}`, { description: 'Late' }),
      t.admin.put(`/teams/${team.id}/members/bert`),
    ]);
    for (const { status } of responses) assert.ok(status < 300 || status === 404, String(status));
    assert.equal((await t.admin.get(`/teams/${team.id}`)).status, 404);
    assert.equal(await isMember('bert'), false);
  });
});

describe('visibility of teams', () => {
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
