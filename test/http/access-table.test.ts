// On SQLite alone: who may do what is asked of both by access/ and routes/.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { bodyOf } from './access-bodies.ts';
import { ROLES, TABLE } from './access-table.ts';

const t = await testServer();
const owner = await t.user('owner');

const { callers, teamId, commit } = await prepare();

async function prepare(): Promise<{ callers: Map<string, Client>; teamId: number; commit: string }> {
  const callers = new Map<string, Client>([
    ['anonymous', t.anonymous],
    ['owner', owner],
    ['admin', t.admin],
    ['limited', await t.user('limited', { visibility: 'limited' })],
    ['restricted', await t.user('restricted', { is_restricted: true })],
  ]);
  for (const name of ['stranger', 'reader', 'writer', 'manager', 'coder', 'triager', 'director']) callers.set(name, await t.user(name));
  await t.user('hermit', { visibility: 'private' });
  for (const [username, visibility] of [
    ['acme', 'public'],
    ['circle', 'limited'],
    ['secret', 'private'],
  ]) {
    await owner.must('POST', '/orgs', { username, visibility });
    await owner.must('POST', `/orgs/${username}/repos`, { name: 'open', auto_init: true, default_branch: 'main' });
  }
  await owner.must('POST', '/orgs/acme/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
  await owner.must('POST', '/repos/acme/closed/issues', { title: 'First' });
  await owner.must('POST', '/orgs/acme/repos', { name: 'past', auto_init: true, default_branch: 'main' });
  for (const [name, permission] of [
    ['reader', 'read'],
    ['writer', 'write'],
    ['manager', 'admin'],
  ]) {
    await owner.must('PUT', `/repos/acme/closed/collaborators/${name}`, { permission });
  }
  const teamId = await makeTeam('coders', 'coder', { permission: 'read', units: ['repo.code'] });
  await makeTeam('triagers', 'triager', { units_map: { 'repo.issues': 'write' } });
  await makeTeam('directors', 'director', { permission: 'admin', includes_all_repositories: true });
  await owner.must('PATCH', '/repos/acme/past', { archived: true });
  for (const scope of ['write:repository', 'write:issue', 'read:organization']) callers.set(scope, await owner.token([scope]));
  callers.set('public-only', await owner.token(['public-only', 'all']));
  const { commit } = await owner.must('GET', '/repos/acme/closed/branches/main');
  return { callers, teamId, commit: commit.id };
}

async function makeTeam(name: string, member: string, fields: object): Promise<number> {
  const team = await owner.must('POST', '/orgs/acme/teams', { name, ...fields });
  await owner.must('PUT', `/teams/${team.id}/members/${member}`);
  await owner.must('PUT', `/teams/${team.id}/repos/acme/closed`);
  return team.id;
}

for (const block of TABLE.trim().split('\n\n')) {
  const [title = '', ...rows] = block.split('\n').map((line) => line.trim());
  describe(title, () => {
    for (const row of rows) {
      const [method = '', path = '', ...expected] = row.split(/\s+/);
      it(`${method} ${path}`, async () => {
        const got: string[] = [];
        for (const role of ROLES) {
          const caller = callers.get(role);
          assert.ok(caller, role);
          const json = bodyOf(method, path);
          got.push(
            `${role} ${(await caller.send(method, path.replace('@', String(teamId)).replace('~', commit), json ? { json } : {})).status}`,
          );
        }
        assert.deepEqual(
          got,
          ROLES.map((role, index) => `${role} ${expected[index]}`),
        );
      });
    }
  });
}
