import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { servers } from '../mirrors/servers.ts';
import { fillProject } from './project.ts';
import { snapshot } from './snapshot.ts';

const { t, bob, other, alice, source, urlOf } = await servers();
const carol = await other.user('carol');
const EVERYTHING = { labels: true, milestones: true, issues: true, pull_requests: true, releases: true };
const migrate = (repo_name: string, fields: Record<string, unknown> = {}) =>
  bob.post('/repos/migrate', {
    repo_name,
    clone_addr: urlOf(repo_name),
    service: 'gitea',
    auth_token: token.password,
    ...EVERYTHING,
    ...fields,
  });
const token = await alice.token(['all']);
// `COPSE_TEST_PROJECT=1000,200` makes a large project, with so many issues and pull requests.
const [issues = 8, pulls = 6] = (process.env.COPSE_TEST_PROJECT ?? '').split(',').filter(Boolean).map(Number);

describe('migration from Gitea', () => {
  it('brings over a project, field by field', async () => {
    const demo = await source('demo', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
    await alice.must('PUT', `${demo.path}/collaborators/carol`, { permission: 'write' });
    await fillProject(
      (...request) => alice.must(...request),
      (...request) => carol.must(...request),
      demo.path,
      { issues, pulls },
    );
    await other.settled();
    const { status, json } = await migrate('demo');
    assert.equal(status, 201, JSON.stringify(json));
    await t.settled();
    const get = (client: typeof bob) => (path: string) => client.must('GET', path);
    assert.deepEqual(await snapshot(get(bob), '/repos/bob/demo'), await snapshot(get(alice), demo.path));
  });
});
