// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runCommand } from '../../src/cli/run.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const environment = {
  COPSE_DATA_DIR: t.context.settings.server.dataDir,
  DATABASE_URL: t.context.settings.database.url ?? undefined,
};
const run = async (...args: string[]) => {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const code = await runCommand(args, { environment, secret: async () => '', out: write, error: write });
  return { code, text: written.join('') };
};

it('a purge takes away what was pushed away, and archives of it', async () => {
  await alice.must('POST', '/user/repos', { name: 'leaky', auto_init: true, default_branch: 'main' });
  const secret = { content: Buffer.from('hunter2').toString('base64'), new_branch: 'leak' };
  const { commit, content } = await alice.must('POST', '/repos/alice/leaky/contents/secret', secret);
  assert.equal((await alice.get('/repos/alice/leaky/archive/leak.zip')).status, 200);
  await alice.must('DELETE', '/repos/alice/leaky/branches/leak');
  await t.settled();
  assert.equal((await alice.get(`/repos/alice/leaky/git/commits/${commit.sha}`)).status, 200);

  const { code, text } = await run('admin', 'repository', 'purge', '--repository', 'Alice/leaky');
  assert.equal(code, 0, text);
  await t.settled();
  assert.equal((await alice.get(`/repos/alice/leaky/git/commits/${commit.sha}`)).status, 404);
  assert.equal((await alice.get(`/repos/alice/leaky/git/blobs/${content.sha}`)).status, 400);
  assert.equal((await alice.get(`/repos/alice/leaky/archive/${commit.sha}.zip`)).status, 404);
  assert.deepEqual(await t.context.db.selectFrom('archives').selectAll().execute(), []);
  await alice.must('GET', '/repos/alice/leaky/contents/README.md');
});

it('names a repository that is not there', async () => {
  const { code, text } = await run('admin', 'repository', 'purge', '--repository', 'alice/none');
  assert.equal(code, 2);
  assert.match(text, /there is no repository alice\/none/);
});
