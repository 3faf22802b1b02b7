import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cronExpression } from '../../src/jobs/cron-expression.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

/** Lays a bare repository with a branch and a tag where an operator would. */
async function lay(path: string, branch = 'trunk'): Promise<string> {
  const bare = join(t.context.git.root, path);
  const work = join(t.folder, `work-${Math.random()}`);
  await mkdir(work, { recursive: true });
  await alice.git(['init', '-q', '-b', branch], work);
  await alice.git(['commit', '-q', '--allow-empty', '-m', 'first'], work);
  await alice.git(['tag', 'v1'], work);
  await mkdir(join(bare, '..'), { recursive: true });
  assert.equal((await alice.git(['clone', '-q', '--bare', work, bare], t.folder)).code, 0);
  return bare;
}

describe('unadopted repositories', () => {
  it('are listed, adopted with their content, and removed', async () => {
    const laid = await lay('alice/old.git');
    await lay('alice/other.git');
    await lay('nobody/x.git');
    await lay('alice/Upper.git');
    await alice.must('POST', '/user/repos', { name: 'demo' });
    await lay('alice/demo.git');
    assert.deepEqual(await t.admin.must('GET', '/admin/unadopted'), ['alice/old', 'alice/other']);
    assert.deepEqual(await t.admin.must('GET', '/admin/unadopted?pattern=al*/o?d'), ['alice/old']);
    assert.deepEqual(await t.admin.must('GET', '/admin/unadopted?query=alice/{old,none}'), ['alice/old']);
    for (const none of ['bob', 'alice/']) assert.deepEqual(await t.admin.must('GET', `/admin/unadopted?query=${none}`), []);
    const unclosed = await t.admin.get('/admin/unadopted?query=alice/[');
    assert.equal(unclosed.status, 422);
    assert.match(unclosed.json.message, /^\[Pattern\]: /);
    const paged = await t.admin.get('/admin/unadopted?limit=1&page=2');
    assert.deepEqual([paged.json, paged.headers.get('x-total-count')], [['alice/other'], '2']);
    assert.equal((await t.admin.post('/admin/unadopted/Alice/old')).status, 204);
    assert.ok(!existsSync(laid));
    const made = await alice.must('GET', '/repos/alice/old');
    assert.deepEqual([made.private, made.empty, made.default_branch], [true, false, 'trunk']);
    assert.equal((await alice.must('GET', '/repos/alice/old/branches'))[0].name, 'trunk');
    assert.equal((await alice.must('GET', '/repos/alice/old/tags'))[0].name, 'v1');
    assert.equal((await t.admin.post('/admin/unadopted/alice/old')).status, 404);
    assert.equal((await t.admin.post('/admin/unadopted/alice/demo')).status, 404);
    assert.equal((await t.admin.delete('/admin/unadopted/alice/demo')).status, 404);
    assert.equal((await t.admin.delete('/admin/unadopted/alice/other')).status, 204);
    assert.deepEqual(await t.admin.must('GET', '/admin/unadopted'), []);
    await alice.must('GET', '/repos/alice/demo/branches');
  });

  it('are never the server’s own folders, nor anything outside', async () => {
    const { id } = await alice.must('POST', '/user/repos', { name: 'mine', auto_init: true });
    const part = (id % 256).toString(16).padStart(2, '0');
    await t.user(part);
    assert.deepEqual(await t.admin.must('GET', `/admin/unadopted?query=${part}`), []);
    assert.equal((await t.admin.delete(`/admin/unadopted/${part}/${id}`)).status, 404);
    assert.equal((await t.admin.delete('/admin/unadopted/alice/..%2f..%2fdata')).status, 404);
    const elsewhere = join(t.folder, 'elsewhere.git');
    await alice.git(['init', '-q', '--bare', elsewhere], t.folder);
    await mkdir(join(t.context.git.root, 'alice'), { recursive: true });
    await symlink(elsewhere, join(t.context.git.root, 'alice/link.git'));
    assert.equal((await t.admin.post('/admin/unadopted/alice/link')).status, 404);
    const borrowing = await lay('alice/borrowing.git');
    await alice.git(['clone', '-q', '--bare', '--shared', borrowing, join(t.context.git.root, 'alice/shared.git')], t.folder);
    assert.equal((await t.admin.post('/admin/unadopted/alice/shared')).status, 422);
    assert.ok(existsSync(join(t.context.git.root, 'alice/shared.git')));
  });
});

describe('regular tasks', () => {
  const task = async (name: string) =>
    (await t.admin.must('GET', '/admin/cron?limit=50')).find((task: { name: string }) => task.name === name);

  it('count their runs and show when they are due', async () => {
    const before = await task('check_repo_stats');
    assert.equal(before.schedule, '@midnight');
    const begun = Date.now();
    assert.ok(Date.parse(before.next) > begun);
    await t.context.db.updateTable('repositories').set({ stars_count: 42 }).where('name', '=', 'demo').execute();
    assert.equal((await t.admin.post('/admin/cron/check_repo_stats')).status, 204);
    const after = await task('check_repo_stats');
    assert.equal(after.exec_times, before.exec_times + 1);
    assert.ok(Date.parse(after.prev) >= begun - 1000 && Date.parse(after.prev) <= Date.now());
    assert.equal((await alice.must('GET', '/repos/alice/demo')).stars_count, 0);
    const byHand = await task('delete_repo_archives');
    assert.deepEqual([byHand.schedule, byHand.next], ['-', '0001-01-01T00:00:00Z']);
  });

  it('are due by nicknames as well', () => {
    const given = ['@midnight', '@every 1m', '@every 10m', '@every 6h', '@every 24h', '*/7 1 * * *'];
    assert.deepEqual(given.map(cronExpression), ['0 0 * * *', '* * * * *', '*/10 * * * *', '0 */6 * * *', '0 0 * * *', '*/7 1 * * *']);
  });

  it('bring a missing repository back empty, or delete it', async () => {
    const repository = await alice.must('POST', '/user/repos', { name: 'lost', auto_init: true });
    const row = await t.context.db.selectFrom('repositories').selectAll().where('id', '=', repository.id).executeTakeFirstOrThrow();
    const { path } = t.context.git.locate(row);
    await rm(path, { recursive: true });
    await t.admin.must('POST', '/admin/cron/reinit_missing_repos');
    assert.ok(existsSync(join(path, 'HEAD')));
    await rm(path, { recursive: true });
    await t.admin.must('POST', '/admin/cron/delete_missing_repos');
    assert.equal((await alice.get('/repos/alice/lost')).status, 404);
    assert.equal((await alice.get('/repos/alice/demo')).status, 200);
  });

  it('delete accounts that were never activated, but none that was used or is new', async () => {
    const long = 1_600_000_000;
    await t.user('never', { is_active: false, created_at: long });
    await t.user('once', { is_active: false, created_at: long, last_login_at: long });
    await t.user('fresh', { is_active: false });
    await t.admin.must('POST', '/admin/cron/delete_inactive_accounts');
    const left = await Promise.all(['never', 'once', 'fresh'].map(async (name) => (await t.admin.get(`/users/${name}`)).status));
    assert.deepEqual(left, [404, 200, 200]);
  });

  it('are run once at a time', async () => {
    const { schedule } = t.context;
    const { runs } = (await schedule.list(t.context)).find(({ name }) => name === 'repo_health_check') ?? { runs: -1 };
    const held = Promise.withResolvers<void>();
    schedule.work('repo_health_check', () => held.promise);
    let ended = 0;
    const asked = [1, 2, 3].map(() => schedule.run(t.context, 'repo_health_check').finally(() => ended++));
    await eventually(() => ended === 2, 'the end of those that came too late');
    held.resolve();
    await Promise.all(asked);
    const after = (await schedule.list(t.context)).find(({ name }) => name === 'repo_health_check');
    assert.equal(after?.runs, runs + 1);
  });
});
