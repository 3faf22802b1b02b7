import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const owner = await t.user('owner');
await owner.must('POST', '/orgs', { username: 'acme' });

/** A member of a team that may create repositories: the member's own two, and one of the owner's with the member as a collaborator. */
async function maker(name: string) {
  const member = await t.user(name);
  const team = await owner.must('POST', '/orgs/acme/teams', {
    name: `of-${name}`,
    permission: 'read',
    units: ['repo.code'],
    can_create_org_repo: true,
  });
  await owner.must('PUT', `/teams/${team.id}/members/${name}`);
  const repo = (kind: string) => `/repos/acme/${kind}-${name}`;
  await member.must('POST', '/orgs/acme/repos', { name: `open-${name}` });
  await member.must('POST', '/orgs/acme/repos', { name: `closed-${name}`, private: true });
  await owner.must('POST', '/orgs/acme/repos', { name: `given-${name}`, private: true });
  await new Promise((done) => setTimeout(done, 1100));
  await owner.must('PUT', `${repo('given')}/collaborators/${name}`, { permission: 'admin' });
  return { member, team, repo };
}

describe('who leaves an organization', () => {
  for (const way of ['the organization', 'the last team', 'a deleted team']) {
    it(`loses the rights of a creator: out of ${way}`, async () => {
      const name = way.split(' ')[1] ?? '';
      const { member, team, repo } = await maker(name);
      assert.equal((await member.must('GET', repo('closed'))).permissions.admin, true);
      if (way === 'the organization') await owner.must('DELETE', `/orgs/acme/members/${name}`);
      else if (way === 'the last team') await owner.must('DELETE', `/teams/${team.id}/members/${name}`);
      else await owner.must('DELETE', `/teams/${team.id}`);
      assert.deepEqual((await member.must('GET', repo('open'))).permissions, { admin: false, push: false, pull: true });
      assert.equal((await member.get(repo('closed'))).status, 404);
      const found = await member.must('GET', '/repos/search?private=true&limit=50');
      assert.ok(!found.data.some((one: { name: string }) => one.name === `closed-${name}`));
      assert.ok(!(await member.must('GET', '/user/repos')).some((one: { name: string }) => one.name === `closed-${name}`));
      // Listed as before, but without rights.
      assert.equal((await owner.get(`${repo('open')}/collaborators/${name}`)).status, 204);
      assert.equal((await owner.must('GET', `${repo('open')}/collaborators/${name}/permission`)).permission, 'read');
      assert.equal((await owner.must('GET', `${repo('closed')}/collaborators/${name}/permission`)).permission, 'none');
      const assignees: { login: string }[] = await owner.must('GET', `${repo('open')}/assignees`);
      assert.deepEqual(
        assignees.map(({ login }) => login),
        ['owner'],
      );
      const reviewers: { login: string }[] = await owner.must('GET', `${repo('open')}/reviewers`);
      assert.deepEqual(reviewers.map(({ login }) => login).sort(), [name, 'owner'].sort());
      assert.equal((await owner.post(`${repo('closed')}/transfer`, { new_owner: name })).status, 201);
      assert.equal((await member.get(repo('closed'))).status, 200, 'to decide about the transfer');
      // What was given by somebody stays, and what was lost can be given again.
      assert.equal((await member.must('GET', repo('given'))).permissions.admin, true);
      await owner.must('PUT', `${repo('open')}/collaborators/${name}`, { permission: 'admin' });
      assert.equal((await member.must('GET', repo('open'))).permissions.admin, true);
    });
  }
});
