// On SQLite alone: what this asks of the database is asked of both by access.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { onEachServer } from './ssh.ts';

const runs = await onEachServer({}, async ({ t, client }) => {
  const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
  const [alices, bobs, nobodys] = [client('alice'), client('bob'), client('nobody')];
  await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
  const { id: bobsKey } = await bob.must('POST', '/user/keys', { title: 'laptop', key: bobs.publicKey });
  const commits = [{ label: 'one', files: { 'a.txt': 'a\n' } }];
  const demo = await codeRepository(t, alice, 'demo', commits);
  await codeRepository(t, alice, 'secret', commits, { private: true });
  return { t, alice, bob, alices, bobs, nobodys, bobsKey, demo };
});

it('OpenSSH and the embedded server speak AES in Galois mode, and another cipher where the client has only that', async () => {
  const embedded = runs.find(({ name }) => name.includes('embedded'));
  if (!embedded || embedded.skip) return;
  const { alices } = embedded.prepared();
  const cipher = async (...options: string[]) =>
    /server->client cipher: (\S+)/.exec((await alices.run('ssh_info', ['-v', ...options])).stderr)?.[1];
  assert.equal(await cipher(), 'aes128-gcm@openssh.com');
  assert.equal(await cipher('-o', 'Ciphers=aes256-ctr,aes256-gcm@openssh.com'), 'aes256-gcm@openssh.com');
  assert.equal(await cipher('-o', 'Ciphers=aes256-ctr'), 'aes256-ctr');
});

for (const { name, skip, prepared } of runs) {
  describe(`SSH by ${name}`, { skip }, () => {
    const { t, alice, bob, alices, bobs, nobodys, bobsKey, demo } = prepared();

    it('greets who asks for a shell', async () => {
      // With whatever key exchange the client likes best.
      const { code, stdout, stderr } = await alices.run(undefined, ['-o', 'KexAlgorithms=+curve25519-sha256']);
      assert.deepEqual([code, stdout], [0, '']);
      assert.equal(
        stderr,
        "Hi there, alice! You've successfully authenticated with the key named laptop, but Copse does not provide shell access.\n",
      );
      assert.equal((await alices.run('ssh_info')).stdout, '{"type":"agit","version":1}');
    });

    it('lets nobody in without a key that is known', async () => {
      const { code, stderr } = await nobodys.run();
      assert.equal(code, 255);
      assert.match(stderr, /Permission denied \(publickey\)/);
      const other = await alices.run(undefined, ['-l', 'somebody']);
      assert.deepEqual([other.code, /Permission denied/.test(other.stderr)], [255, true]);
    });

    it('serves clones, pushes and fetches', async () => {
      const tree = await alices.tree(alice, 'alice/demo');
      await tree.git('fetch', '-q', 'origin');
      assert.equal(await tree.git('rev-parse', 'origin/main'), demo.id('one'));
      await tree.git('checkout', '-q', '-b', 'topic', 'origin/main');
      const commit = await tree.commit({ 'b.txt': 'b\n' });
      const { stderr } = await tree.run('push', 'origin', 'topic');
      assert.match(stderr, /Create a new pull request for 'topic'/);
      assert.equal((await alice.must('GET', '/repos/alice/demo/branches/topic')).commit.id, commit);
      await tree.git('push', '-q', 'origin', ':topic');
      assert.equal((await alice.get('/repos/alice/demo/branches/topic')).status, 404);
      assert.equal(await tree.git('ls-remote', 'origin', 'refs/heads/main'), `${demo.id('one')}\trefs/heads/main`);
      // Nothing to do, in either direction.
      await tree.git('push', '-q', 'origin', 'origin/main:main');
    });

    it('speaks the version of the protocol that the client asks for, and takes no other variable', async () => {
      const ask = (value: string) => alices.run("git-upload-pack 'alice/demo.git'", ['-o', 'SendEnv=GIT_*'], { GIT_PROTOCOL: value });
      assert.match((await ask('version=2')).stdout, /^000eversion 2\n/);
      assert.match((await ask('version=1')).stdout, /^000eversion 1\n/);
      for (const value of ['', 'version=0', '$(id)', 'version=2;--help'])
        assert.match((await ask(value)).stdout, /^[0-9a-f]{4}[0-9a-f]{40} HEAD/);
      const traced = await alices.run("git-upload-pack 'alice/demo.git'", ['-o', 'SendEnv=GIT_*'], { GIT_TRACE: '1', GIT_DIR: '/' });
      assert.match(traced.stdout, /^[0-9a-f]{4}[0-9a-f]{40} HEAD/);
      assert.doesNotMatch(traced.stderr, /trace/);
    });

    it('serves archives, but no files of the server with them', async () => {
      const tree = await alices.tree(alice, 'alice/demo');
      const list = await tree.git('archive', `--remote=${alices.remote('alice/demo')}`, '--prefix=x/', '-o', 'all.tar', 'main');
      assert.equal(list, '');
      assert.match(await tree.git('hash-object', 'all.tar'), /^[0-9a-f]{40}$/);
      const stolen = await tree.run('archive', `--remote=${alices.remote('alice/demo')}`, '--add-file=/etc/hostname', 'main');
      assert.notEqual(stolen.code, 0);
      const { stderr } = await tree.run('archive', `--remote=${alices.remote('alice/demo')}`, 'main', '../../../etc');
      assert.match(stderr, / is outside repository *\n/);
      assert.ok(!stderr.includes(t.folder), stderr);
    });

    it('refuses commands and operations that it does not know', async () => {
      const refusals: [command: string, message: string][] = [
        ['ls', 'Too few arguments'],
        ['git-shell alice/demo', 'Unknown git command'],
        ["git-upload-pack --help 'alice/demo'", 'Invalid repository path'],
        ["git-upload-pack 'alice/demo", 'Error parsing arguments'],
        ["git-upload-pack '../../etc/passwd'", 'Invalid repo name'],
        ["git-upload-pack '~alice'", 'Invalid repository path'],
        ["git-upload-pack 'alice/-x$(id)'", 'Invalid repo name'],
        ['toString alice/demo', 'Unknown git command'],
        ['git-lfs-authenticate alice/demo evil', 'Unknown git command'],
        ['git-lfs-transfer alice/demo evil', 'Unknown git command'],
        ['git-lfs-evil alice/demo download', 'Unknown git command'],
      ];
      for (const [command, message] of refusals) {
        const { code, stderr, stdout } = await alices.run(command);
        assert.deepEqual([command, code, stdout, stderr], [command, 1, '', `error:\nerror: ${message}\nerror:\n`]);
      }
    });

    it('says the same of what is hidden as of what is not there', async () => {
      const ask = async (path: string) => (await bobs.run(`git-upload-pack '${path}'`)).stderr.replace(path.split('/')[1] ?? '', 'NAME');
      const missing = 'error:\nerror: Cannot find repository: alice/NAME\nerror:\n';
      for (const path of ['alice/secret', 'alice/nothing', 'alice/secret.wiki']) assert.equal(await ask(path), missing);
      const push = async (path: string) => (await bobs.run(`git-receive-pack '${path}'`)).stderr.replace(path.split('/')[1] ?? '', 'NAME');
      for (const path of ['alice/secret', 'alice/nothing']) assert.equal(await push(path), missing);
    });

    it('follows at once when keys go and accounts are blocked, and notes that keys are used', async () => {
      const prohibit = (prohibit_login: boolean) =>
        t.context.db.updateTable('users').set({ prohibit_login }).where('name', '=', 'bob').execute();
      await t.context.db.updateTable('ssh_keys').set({ last_used_at: 5 }).where('id', '=', bobsKey).execute();
      assert.equal((await bobs.run()).code, 0);
      const row = await t.context.db.selectFrom('ssh_keys').select('last_used_at').where('id', '=', bobsKey).executeTakeFirstOrThrow();
      assert.ok(row.last_used_at > 5);
      await prohibit(true);
      assert.match((await bobs.run("git-upload-pack 'alice/demo'")).stderr, /^error: Your account is disabled\.$/m);
      await prohibit(false);
      await t.context.db.updateTable('users').set({ must_change_password: true }).where('name', '=', 'bob').execute();
      assert.match((await bobs.run()).stderr, /^error: You must change your password/m);
      await t.context.db.updateTable('users').set({ must_change_password: false }).where('name', '=', 'bob').execute();
      await bob.must('DELETE', `/user/keys/${bobsKey}`);
      assert.equal((await bobs.run()).code, 255);
    });

    it('has no terminal, no forwarding and no other subsystem', async () => {
      const sftp = await alices.run('sftp', ['-s']);
      assert.notEqual(sftp.code, 0);
      const forwarded = await alices.run(undefined, ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1']);
      assert.equal(forwarded.code, 255);
      const local = await alices.run(undefined, ['-W', '127.0.0.1:1']);
      assert.equal(local.code, 255);
      const compressed = await alices.run(undefined, ['-o', 'Compression=yes', '-v']);
      assert.match(compressed.stderr, /kex: server->client .* compression: none/);
    });
  });
}
