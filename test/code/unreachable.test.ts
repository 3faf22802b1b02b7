// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maintainRepository } from '../../src/code/maintenance.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

it('the weekly maintenance removes what no ref reaches any more, after its time', async () => {
  const { id: repositoryId } = await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const { commit } = await alice.must('POST', '/repos/alice/demo/contents/secret', { new_branch: 'mistake', content: btoa('password') });
  await alice.must('DELETE', '/repos/alice/demo/branches/mistake');
  await t.settled();
  const status = async () => (await alice.get(`/repos/alice/demo/git/commits/${commit.sha}`)).status;
  assert.equal(await status(), 200);
  await t.admin.must('POST', '/admin/cron/git_gc_repos');
  await t.settled();
  assert.equal(await status(), 200, 'its time has not come');
  const { settings } = t.context;
  // As if that had been long ago.
  const later = { ...t.context, settings: { ...settings, git: { ...settings.git, unreachableExpiry: -10_000 } } };
  await maintainRepository({ repositoryId, full: true }, later, new AbortController());
  assert.equal(await status(), 404);
  assert.equal((await alice.get('/repos/alice/demo/commits')).headers.get('x-total-count'), '1');
});
