import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { PASSWORD, testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const run = promisify(execFile);
const server = await testServer({ git: { hooksEnabled: true } });
const alice = await server.user('alice', { allow_git_hook: true });
const bob = await server.user('bob');
const off = await testServer();
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const HOOKS = '/repos/alice/demo/hooks/git';
const folder = join(server.folder, 'clone');
const remote = new URL('alice/demo.git', server.url);
Object.assign(remote, { username: 'alice', password: PASSWORD });
const git = (...args: string[]) => run('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args]);
await run('git', ['clone', '-q', remote.href, folder]);
let commits = 0;

async function push(): Promise<{ stderr: string }> {
  await writeFile(join(folder, 'file'), String(++commits));
  await git('add', 'file');
  await git('commit', '-q', '-m', 'change');
  return git('push', '-q', 'origin', 'main');
}

describe('scripts of a repository', () => {
  it('come along from a template only for who may write them there and anywhere', async () => {
    const dora = await server.user('dora', { allow_git_hook: true });
    await alice.must('POST', '/user/repos', { name: 'template', template: true });
    await alice.must('PUT', '/repos/alice/template/collaborators/bob', { permission: 'admin' });
    await alice.must('PATCH', '/repos/alice/template/hooks/git/update', { content: '#!/bin/sh\n' });
    for (const [client, comes] of [
      [alice, true],
      [bob, false],
      [dora, false],
    ] as const) {
      await client.must('POST', '/repos/alice/template/generate', { owner: client.name, name: 'scripts', git_hooks: true });
      const hook = await server.admin.must('GET', `/repos/${client.name}/scripts/hooks/git/update`);
      assert.equal(hook.is_active, comes, client.name);
    }
  });

  it('run with each push, and get its refs', async () => {
    const content = '#!/bin/sh\r\necho "$GITEA_PUSHER_NAME $GITEA_REPO_USER_NAME/$GITEA_REPO_NAME"\r\n';
    const { json } = await alice.patch(`${HOOKS}/post-receive`, { content });
    assert.deepEqual(json, { name: 'post-receive', is_active: true, content });
    assert.match((await push()).stderr, /alice alice\/demo/);
    assert.equal((await alice.get(`${HOOKS}/post-receive`)).json.content, content.replaceAll('\r', ''));
    await alice.must('DELETE', `${HOOKS}/post-receive`);
    assert.equal((await push()).stderr, '');
  });

  it('can refuse a push', async () => {
    await alice.must('PATCH', `${HOOKS}/pre-receive`, { content: '#!/bin/sh\necho "Not today" >&2\nexit 1\n' });
    await assert.rejects(push(), /Not today/);
    const blank = await alice.must('PATCH', `${HOOKS}/pre-receive`, { content: ' \n' });
    assert.deepEqual(blank, { name: 'pre-receive', is_active: false, content: ' \n' });
    await push();
  });

  it('run for changes by the API, too, before and after', async () => {
    const marks = join(server.folder, 'marks');
    await alice.must('PATCH', `${HOOKS}/update`, {
      content: '#!/bin/sh\ncase $1 in refs/heads/no*) echo "Not $1 $GITEA_PUSHER_NAME"; exit 1;; esac\n',
    });
    await alice.must('PATCH', `${HOOKS}/pre-receive`, { content: '#!/bin/sh\nread old new ref; git cat-file -e $new || exit 1\n' });
    await alice.must('PATCH', `${HOOKS}/post-receive`, { content: `#!/bin/sh\ncat >> ${marks}\n` });
    const refused = await alice.post('/repos/alice/demo/branches', { new_branch_name: 'nope', old_branch_name: 'main' });
    assert.deepEqual([refused.status, refused.json.message], [409, 'PushRejected with remote message: Not refs/heads/nope alice']);
    const file = { content: 'YQ==', message: 'Add', branch: 'main', new_branch: 'no-way' };
    assert.equal((await alice.post('/repos/alice/demo/contents/new.txt', file)).status, 409);
    assert.deepEqual((await alice.get('/repos/alice/demo/branches')).json.length, 1);
    await alice.must('POST', '/repos/alice/demo/contents/new.txt', { ...file, new_branch: 'yes' });
    const told = async (): Promise<string> => readFile(marks, 'utf8').catch(() => '');
    await eventually(async () => (await told()).includes('refs/heads/yes'));
    assert.match(await told(), /^0{40} [0-9a-f]{40} refs\/heads\/yes\n$/);
    await alice.must('POST', '/repos/alice/demo/tags', { tag_name: 'v1', target: 'main', message: 'An annotated tag' });
    await alice.must('POST', '/repos/alice/demo/pulls', { title: 'x', head: 'yes', base: 'main' });
    await alice.must('PATCH', `${HOOKS}/update`, { content: '#!/bin/sh\necho no\nexit 1\n' });
    await server.settled();
    const merge = await alice.post('/repos/alice/demo/pulls/1/merge', { Do: 'merge' });
    assert.deepEqual([merge.status, merge.json.message], [409, 'PushRejected with remote message: no']);
    assert.equal((await alice.get('/repos/alice/demo/pulls/1')).json.merged, false);
    for (const hook of ['update', 'pre-receive', 'post-receive']) await alice.must('DELETE', `${HOOKS}/${hook}`);
  });

  it('are for those alone whom the administrator lets write them', async () => {
    await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'admin' });
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/update'],
      ['PATCH', '/update'],
      ['DELETE', '/update'],
    ] as const) {
      const json = method === 'PATCH' ? { content: '#!/bin/sh' } : undefined;
      assert.equal((await bob.send(method, `${HOOKS}${path}`, { json })).status, 403);
    }
    assert.equal((await server.admin.get(HOOKS)).json.length, 3);
  });

  it('have no other names', async () => {
    for (const name of ['post-update', 'reference-transaction', '..%2Fconfig', 'constructor']) {
      assert.equal((await alice.get(`${HOOKS}/${name}`)).status, 404);
      assert.equal((await alice.patch(`${HOOKS}/${name}`, { content: 'x' })).status, 404);
    }
  });
});

describe('where scripts are not allowed', () => {
  it('even administrators write none', async () => {
    await off.admin.must('POST', '/user/repos', { name: 'demo' });
    const { status } = await off.admin.patch('/repos/admin/demo/hooks/git/update', { content: '#!/bin/sh' });
    assert.equal(status, 403);
  });
});
