import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { listRefs } from '../../src/git/refs/refs.ts';
import { codeRepository } from '../code/repository.ts';
import { onServer, type WorkTree, workTree } from '../transport/work-tree.ts';
import { onEachServer, SERVERS } from './ssh.ts';

// What a session may do is decided in one place: one server is enough.
const runs = await onEachServer(
  { repository: { pushToCreateUser: true } },
  async ({ t, client }) => {
    const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
    const [alices, bobs] = [client('alice'), client('bob')];
    await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
    await bob.must('POST', '/user/keys', { title: 'laptop', key: bobs.publicKey });
    const laid = (name: string, options = {}) => codeRepository(t, alice, name, [{ label: 'one', files: { 'a.txt': 'a\n' } }], options);
    /** A work tree with a commit on main that is not pushed. */
    const ahead = async (repository: string, who = alices) => {
      const tree = await who.tree(alice, `alice/${repository}`);
      await tree.git('fetch', '-q', alice.remote(`alice/${repository}`), 'main');
      await tree.git('checkout', '-q', '-B', 'main', 'FETCH_HEAD');
      await tree.commit({ 'b.txt': `${repository}\n` });
      return tree;
    };
    return { t, alice, bob, alices, bobs, client, laid, ahead };
  },
  SERVERS.slice(0, 1),
);

/** Pushes, and calls `meanwhile` when the client has seen the refs and has not sent its commands yet. Returns what git printed. */
async function pushLate({ folder, run }: WorkTree, meanwhile: () => Promise<unknown>): Promise<string> {
  const hooks = join(folder, '.git', 'hooks');
  const [begun, go] = [join(hooks, 'begun'), join(hooks, 'go')];
  await mkdir(hooks, { recursive: true });
  await promisify(execFile)('mkfifo', [begun, go]);
  await writeFile(join(hooks, 'pre-push'), `#!/bin/sh\necho > '${begun}'\ncat '${go}'\n`, { mode: 0o755 });
  const pushed = run('push', 'origin', 'HEAD:refs/heads/late');
  await readFile(begun);
  await meanwhile();
  await writeFile(go, '');
  return (await pushed).stderr;
}

for (const { skip, prepared } of runs) {
  describe('access over SSH', { skip }, () => {
    const { t, alice, bob, alices, bobs, client, laid, ahead } = prepared();

    it('refuses what a protected branch refuses, in the same words as over HTTP', async () => {
      await laid('protected');
      await alice.must('POST', '/repos/alice/protected/branch_protections', { rule_name: 'main', enable_push: false });
      const tree = await ahead('protected');
      const said = async (remote: string) =>
        (await tree.run('push', remote, 'main')).stderr.split('\n').filter((line) => /^remote:|^ !/.test(line));
      const overSsh = await said('origin');
      assert.ok(overSsh.some((line) => line.includes('Not allowed to push to protected branch main')));
      assert.deepEqual(overSsh, await said(alice.remote('alice/protected')));
      const moves = await t.context.db.selectFrom('ref_moves').selectAll().execute();
      assert.deepEqual(moves, []);
    });

    it('lets who may only read fetch, open pull requests and nothing else', async () => {
      const { row } = await laid('open');
      const tree = await ahead('open', bobs);
      assert.match((await tree.run('push', 'origin', 'main')).stderr, /User permission denied for writing\./);
      const pushed = await tree.run('push', 'origin', 'HEAD:refs/for/main', '-o', 'topic=typo', '-o', 'title=A title');
      assert.equal(pushed.code, 0, pushed.stderr);
      const [pull] = await bob.must('GET', '/repos/alice/open/pulls');
      assert.deepEqual([pull.title, pull.user.login], ['A title', 'bob']);
      await t.settled();
      assert.equal(row.name, 'open');
    });

    it('lets a deploy key read, or write, its own repositories', async () => {
      await Promise.all([laid('deployed', { private: true }), laid('other')]);
      const [reader, writer] = [client('reader'), client('writer')];
      const add = (title: string, key: string, read_only: boolean) =>
        alice.must('POST', '/repos/alice/deployed/keys', { title, key, read_only });
      const { id } = await add('reads', reader.publicKey, true);
      await add('writes', writer.publicKey, false);
      assert.match((await reader.run()).stderr, /^Hi there! You've successfully authenticated with the deploy key named reads,/);
      const tree = await ahead('deployed', reader);
      await tree.git('fetch', '-q', 'origin');
      assert.match((await tree.run('push', 'origin', 'main')).stderr, /^error: This deploy key may only read\.$/m);
      for (const path of ['alice/other', 'alice/nothing']) {
        assert.match((await writer.run(`git-upload-pack '${path}'`)).stderr, new RegExp(`^error: Cannot find repository: ${path}$`, 'm'));
        assert.match((await writer.run(`git-receive-pack '${path}'`)).stderr, new RegExp(`^error: Cannot find repository: ${path}$`, 'm'));
      }
      const written = await ahead('deployed', writer);
      await written.git('push', '-q', 'origin', 'main', '-o', 'repo.private=false');
      const forRefs = await written.run('push', 'origin', 'main:refs/for/main', '-o', 'topic=x');
      assert.match(forRefs.stderr, /Unexpected ref: refs\/for\/main/);
      const { private: isPrivate, updated_at: updated } = await alice.must('GET', '/repos/alice/deployed');
      assert.deepEqual([isPrivate, typeof updated], [true, 'string']);
      await t.settled();
      const used = await t.context.db.selectFrom('deploy_keys').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow();
      assert.ok(Number(used.last_used_at) > 0);
      await alice.must('DELETE', `/repos/alice/deployed/keys/${id}`);
      assert.equal((await reader.run()).code, 255);
    });

    it('keeps to the scope of the token that added the key', async () => {
      await laid('scoped', { private: true });
      const [limited, other] = [client('limited'), client('public')];
      const reading = await alice.token(['write:user', 'read:repository']);
      await reading.must('POST', '/user/keys', { title: 'reads', key: limited.publicKey });
      const { id } = await alice.must('POST', '/user/keys', { title: 'public', key: other.publicKey });
      await t.context.db.updateTable('ssh_keys').set({ scope: 'public-only,write:repository' }).where('id', '=', id).execute();
      assert.equal((await limited.run("git-upload-pack 'alice/scoped'")).stderr.includes('error:'), false);
      assert.match((await limited.run("git-receive-pack 'alice/scoped'")).stderr, /^error: Forbidden$/m);
      assert.match((await other.run("git-upload-pack 'alice/scoped'")).stderr, /^error: Forbidden$/m);
    });

    it('takes no push of who has lost the access while the client waited', async () => {
      const { row } = await laid('waited', { private: true });
      const [carol, carols, robots] = [await t.user('carol'), client('carol'), client('robot')];
      const laptop = await carol.must('POST', '/user/keys', { title: 'laptop', key: carols.publicKey });
      await alice.must('PUT', '/repos/alice/waited/collaborators/carol', { permission: 'write' });
      const deployKey = { title: 'robot', key: robots.publicKey, read_only: false };
      const { id } = await alice.must('POST', '/repos/alice/waited/keys', deployKey);
      const bar = (isBarred: boolean) =>
        t.context.db.updateTable('users').set({ prohibit_login: isBarred }).where('name', '=', 'carol').execute();
      const losses = [
        { who: carols, lose: () => bar(true) },
        { who: carols, lose: () => carol.must('DELETE', `/user/keys/${laptop.id}`) },
        { who: robots, lose: () => alice.must('DELETE', `/repos/alice/waited/keys/${id}`) },
      ];
      for (const { who, lose } of losses) {
        await bar(false);
        const tree = await ahead('waited', who);
        assert.match(await pushLate(tree, lose), /You may not push here any more\./);
      }
      const refs = await listRefs(t.context.git.locate(row), t.context.git.pool);
      assert.deepEqual(
        refs.map(({ name }) => name),
        ['refs/heads/main'],
      );
    });

    it('follows former names, for those who may see what they lead to', async () => {
      await Promise.all([laid('before'), laid('hidden-before', { private: true })]);
      await alice.must('PATCH', '/repos/alice/before', { name: 'after' });
      await alice.must('PATCH', '/repos/alice/hidden-before', { name: 'hidden-after' });
      assert.match((await bobs.run("git-upload-pack 'alice/before.git'")).stdout, /refs\/heads\/main/);
      assert.match((await alices.run("git-upload-pack 'alice/hidden-before'")).stdout, /refs\/heads\/main/);
      const hidden = await bobs.run("git-upload-pack 'alice/hidden-before'");
      assert.match(hidden.stderr, /^error: Cannot find repository: alice\/hidden-before$/m);
    });

    it('reads archived repositories, and neither their code nor that of others where it is off', async () => {
      await Promise.all([laid('archived'), laid('empty')]);
      await alice.must('PATCH', '/repos/alice/archived', { archived: true });
      const tree = await ahead('archived');
      await tree.git('fetch', '-q', 'origin');
      assert.match((await tree.run('push', 'origin', 'main')).stderr, /^error: This repo is archived\./m);
      const { row } = await onServer(t, 'alice', 'empty');
      const units = { ...row.units };
      delete units.code;
      await t.context.db
        .updateTable('repositories')
        .set({ units: JSON.stringify(units) })
        .where('id', '=', row.id)
        .execute();
      assert.notEqual((await bobs.run("git-upload-pack 'alice/empty'")).code, 0);
    });

    it('makes a repository of a push where the settings allow it', async () => {
      const tree = await alices.tree(alice, 'alice/made');
      await tree.commit({ 'a.txt': 'a\n' });
      await tree.git('push', '-q', 'origin', 'HEAD:main');
      assert.equal((await alice.must('GET', '/repos/alice/made')).private, true);
      const stolen = await bobs.tree(bob, 'alice/stolen');
      await stolen.commit({ 'a.txt': 'a\n' });
      assert.match((await stolen.run('push', 'origin', 'HEAD:main')).stderr, /^error: Cannot find repository: alice\/stolen$/m);
    });

    it('serves wikis', async () => {
      await laid('documented');
      const tree = await alices.tree(alice, 'alice/documented.wiki');
      await tree.commit({ 'Home.md': 'Welcome\n' });
      await tree.git('push', '-q', 'origin', 'HEAD:main');
      assert.equal((await alice.must('GET', '/repos/alice/documented/wiki/page/Home')).title, 'Home');
      assert.match((await bobs.run("git-receive-pack 'alice/documented.wiki'")).stderr, /Cannot find repository/);
      const read = await workTree(t, bob, 'alice/documented.wiki');
      await read.git('fetch', '-q', 'origin');
    });
  });
}
