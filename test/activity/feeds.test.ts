import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { deleteOldActivities } from '../../src/activity/delete.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { type Activity, activityFeeds, repository } from './feed.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const carol = await t.user('carol');
const { feedOf, types } = activityFeeds(t);

describe('feeds', () => {
  it('are of those who act, of the organization and of those who watch', async () => {
    await alice.must('POST', '/orgs', { username: 'club' });
    await alice.must('POST', '/orgs/club/repos', { name: 'shared' });
    await carol.must('PUT', '/repos/club/shared/subscription');
    await bob.must('POST', '/repos/club/shared/issues', { title: 'For all' });
    const ofIssue = async (client: Client, path: string, query = '') =>
      (await feedOf(client, path, query)).filter(({ content }) => content === '1|For all');
    for (const [client, path] of [
      [alice, '/users/alice'],
      [bob, '/users/bob'],
      [carol, '/users/carol'],
      [alice, '/orgs/club'],
      [t.anonymous, '/orgs/club'],
      [alice, '/repos/club/shared'],
    ] as const) {
      assert.equal((await ofIssue(client, path)).length, 1, path);
    }
    const [watched] = await ofIssue(carol, '/users/carol');
    assert.equal(watched?.user_id, (await findUser(t.context.db, 'carol'))?.id);
    assert.equal((await ofIssue(carol, '/users/carol', '&only-performed-by=true')).length, 0);
    assert.equal((await ofIssue(bob, '/users/bob', '&only-performed-by=true')).length, 1);
  });

  it('of a team have what happens in its repositories', async () => {
    await alice.must('POST', '/orgs', { username: 'teams' });
    for (const name of ['one', 'two']) await alice.must('POST', '/orgs/teams/repos', { name, private: true });
    const { id } = await alice.must('POST', '/orgs/teams/teams', { name: 'readers', permission: 'read', units: ['repo.issues'] });
    await alice.must('PUT', `/teams/${id}/repos/teams/one`);
    await alice.must('PUT', `/teams/${id}/members/bob`);
    await alice.must('POST', '/repos/teams/one/issues', { title: 'Inside' });
    assert.deepEqual(await types(bob, `/teams/${id}`), ['create_repo', 'create_issue']);
    assert.deepEqual((await bob.get(`/teams/${id}/activities/feeds?limit=1`)).headers.get('link')?.includes('rel="next"'), true);
    assert.equal((await carol.get(`/teams/${id}/activities/feeds`)).status, 404);
    assert.equal((await t.anonymous.get(`/teams/${id}/activities/feeds`)).status, 401);
    // Only the issues are open to the team.
    await alice.must('POST', '/repos/teams/one/contents/a', { content: '', message: 'Secret' });
    assert.deepEqual(await types(bob, `/teams/${id}`), ['create_repo', 'create_issue']);
    assert.ok((await types(alice, `/teams/${id}`)).includes('commit_repo'));
    assert.deepEqual(await types(bob, '/orgs/teams'), ['create_repo', 'create_issue']);
    assert.deepEqual(await types(carol, '/orgs/teams'), []);
  });

  it('are read by pages and days', async () => {
    const erin = await t.user('erin');
    for (const name of ['a', 'b', 'c']) {
      await repository(erin, name);
      // What happens in different repositories has no order.
      await t.settled();
    }
    const path = '/users/erin/activities/feeds';
    const page = await erin.get(`${path}?limit=2&page=2`);
    assert.deepEqual([page.json.length, page.headers.get('x-total-count'), page.headers.get('link')], [1, '3', null]);
    assert.equal(page.json[0].repo.name, 'a');
    const today = new Date().toISOString().slice(0, 10);
    assert.equal((await feedOf(erin, '/users/erin', `&date=${today}`)).length, 3);
    assert.equal((await feedOf(erin, '/users/erin', '&date=2020-01-01')).length, 0);
    for (const date of ['yesterday', '2020-02-31']) assert.equal((await feedOf(erin, '/users/erin', `&date=${date}`)).length, 3);
  });

  it('list what is of one second in the order in which it happened', async () => {
    const frank = await t.user('frank');
    // Events of different repositories are handled in any order.
    for (const name of ['a', 'b', 'c', 'd']) {
      await repository(frank, name);
      await t.settled();
    }
    const { id } = await frank.must('GET', '/user');
    const activities = await t.context.db.selectFrom('activities').select('id').where('actor_id', '=', id).orderBy('id').execute();
    for (const [i, activity] of activities.entries()) {
      const second = { created_at: i < 2 ? 1000 : 2000 };
      await t.context.db.updateTable('activities').set(second).where('id', '=', activity.id).execute();
    }
    const names = async (query: string): Promise<string> => {
      const feed: Activity[] = await frank.must('GET', `/users/frank/activities/feeds${query}`);
      return feed.map(({ repo }) => repo.full_name.slice(-1)).join('');
    };
    assert.deepEqual([await names(''), await names('?only-performed-by=true')], ['cdab', 'dcba']);
  });
});

describe('who sees it', () => {
  it('users who may read the repository now, not at the time of the event', async () => {
    const repo = await repository(alice, 'closing');
    await bob.must('PUT', `${repo}/subscription`);
    await bob.must('POST', `${repo}/issues`, { title: 'Seen' });
    const sees = async (client: Client, path: string) => (await feedOf(client, path)).some(({ content }) => content === '1|Seen');
    assert.deepEqual([await sees(bob, '/users/bob'), await sees(carol, '/users/bob')], [true, true]);
    await alice.must('PATCH', repo, { private: true });
    for (const client of [bob, carol, t.anonymous]) {
      assert.deepEqual([await sees(client, '/users/bob'), await sees(client, '/users/alice')], [false, false]);
      assert.equal((await client.get(`${repo}/activities/feeds`)).status, 404);
    }
    const own = await feedOf(alice, repo);
    assert.ok(own.length > 0 && own.every(({ is_private }) => is_private));
    assert.equal(await sees(alice, '/users/alice'), true);
    const publicOnly = await alice.token(['public-only', 'all']);
    assert.equal(await sees(publicOnly, '/users/alice'), false);
    assert.equal(await sees(t.admin, '/users/alice'), true);
    // A collaborator sees what is private in the repository, but not in feeds of others.
    await alice.must('PUT', `${repo}/collaborators/carol`, { permission: 'read' });
    assert.deepEqual([await sees(carol, repo), await sees(carol, '/users/alice')], [true, false]);
  });

  it('nobody but the user and administrators, where the user keeps it private', async () => {
    const fred = await t.user('fred');
    const repo = await repository(fred, 'quiet');
    const heat = async (client: Client) => (await client.must('GET', '/users/fred/heatmap')).length;
    assert.deepEqual([await types(bob, repo), await heat(bob)], [['create_repo'], 1]);
    await fred.must('PATCH', '/user/settings', { hide_activity: true });
    for (const client of [bob, t.anonymous]) {
      for (const path of [repo, '/users/fred']) assert.deepEqual(await types(client, path), []);
      assert.equal(await heat(client), 0);
    }
    for (const client of [fred, t.admin]) assert.deepEqual([await types(client, repo), await heat(client)], [['create_repo'], 1]);
  });
});

describe('the heatmap', () => {
  it('counts what the user did by quarters of an hour, as far as the caller sees it', async () => {
    const gina = await t.user('gina');
    await repository(gina, 'open');
    await repository(gina, 'shut', { private: true });
    await bob.must('POST', '/repos/gina/open/issues', { title: 'Not hers' });
    await t.settled();
    const { db } = t.context;
    const { id } = (await findUser(db, 'gina')) ?? { id: 0 };
    await db
      .updateTable('activities')
      .set({ created_at: Math.floor(Date.now() / 1000) - 3600 })
      .where('actor_id', '=', id)
      .execute();
    const sum = async (client: Client) => {
      const parts: { timestamp: number; contributions: number }[] = await client.must('GET', '/users/gina/heatmap');
      assert.ok(parts.every(({ timestamp }) => timestamp % 900 === 0));
      return parts.reduce((total, { contributions }) => total + contributions, 0);
    };
    assert.deepEqual([await sum(gina), await sum(t.admin), await sum(bob), await sum(t.anonymous)], [2, 2, 1, 1]);
    await db
      .updateTable('activities')
      .set({ created_at: Math.floor(Date.now() / 1000) - 374 * 86400 })
      .where('actor_id', '=', id)
      .execute();
    assert.equal(await sum(gina), 0);
  });
});

describe('old activities', () => {
  it('go when the instance says so', async () => {
    const repo = await repository(alice, 'old');
    await alice.must('POST', `${repo}/issues`, { title: 'New' });
    await t.settled();
    const { db, settings } = t.context;
    const old = Math.floor(Date.now() / 1000) - 10 * 86400;
    await db.updateTable('activities').set({ created_at: old }).where('content', '=', '1|New').execute();
    await deleteOldActivities(t.context);
    assert.equal((await types(alice, repo)).length, 2);
    const jobs = { ...settings.jobs, activityLifetime: 9 * 86400 * 1000 };
    await deleteOldActivities({ ...t.context, settings: { ...settings, jobs } });
    assert.deepEqual(await types(alice, repo), ['create_repo']);
  });
});
