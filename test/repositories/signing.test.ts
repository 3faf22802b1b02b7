import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { generateKey } from 'openpgp';
import { openPgpKey } from '../../src/instance/signing/openpgp-key.ts';
import { sshKey } from '../../src/instance/signing/ssh-key.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'copse-signing-'));
after(() => rm(folder, { recursive: true, force: true }));
const file = join(folder, 'id');
await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
const key = await readFile(file, 'utf8');
const t = await testServer({ signing: { key, format: 'ssh', name: 'Forge', email: 'forge@example.com' } });
const alice = await t.user('alice');

describe('the key that the server signs with', () => {
  it('is shown in its own form only, and with a repository to who sees that', async () => {
    const { status, text } = await t.anonymous.get('/signing-key.pub');
    assert.deepEqual([status, text.trim()], [200, (await readFile(`${file}.pub`, 'utf8')).trim()]);
    assert.equal((await t.anonymous.get('/signing-key.gpg')).status, 404);
    await alice.must('POST', '/user/repos', { name: 'closed', private: true });
    assert.equal((await alice.get('/repos/alice/closed/signing-key.pub')).text, text);
    assert.equal((await t.anonymous.get('/repos/alice/closed/signing-key.pub')).status, 404);
  });

  it('signs first commits so that git finds the signature good', async () => {
    for (const [name, committer] of [
      ['collaborator', 'alice'],
      ['committer', 'Forge'],
    ] as const) {
      await alice.must('POST', '/user/repos', { name, auto_init: true, trust_model: name });
      const row = await t.context.db.selectFrom('repositories').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
      const { path } = t.context.git.locate(row);
      const allowed = join(folder, 'allowed');
      await writeFile(allowed, `* ${await readFile(`${file}.pub`, 'utf8')}`);
      const options = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${allowed}`];
      const checked = await alice.git([...options, '-C', path, 'log', '--format=%G? %cn', 'main'], folder);
      assert.equal(checked.stdout, `G ${committer}\n`, checked.stderr);
    }
  });
});

describe('signing keys', () => {
  it('are read as RSA too, and signatures by them are good', async () => {
    const rsa = join(folder, 'rsa');
    await run('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-C', '', '-f', rsa]);
    const { sign, publicText } = await sshKey(await readFile(rsa, 'utf8'), '');
    assert.equal(publicText.trim(), (await readFile(`${rsa}.pub`, 'utf8')).trim());
    await writeFile(join(folder, 'signature'), await sign(Buffer.from('payload')));
    await writeFile(join(folder, 'signers'), `x ${publicText}`);
    const checking = run('ssh-keygen', [
      '-Y',
      'verify',
      '-f',
      join(folder, 'signers'),
      '-I',
      'x',
      '-n',
      'git',
      '-s',
      join(folder, 'signature'),
    ]);
    checking.child.stdin?.end('payload');
    assert.match((await checking).stdout, /^Good "git" signature/);
  });

  it('with a passphrase are refused in the form of OpenSSH, and opened in that of OpenPGP', async () => {
    const locked = join(folder, 'locked');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', locked]);
    await assert.rejects(sshKey(await readFile(locked, 'utf8'), 'secret'), /passphrase/);
    const { privateKey } = await generateKey({ userIDs: [{ email: 'forge@example.com' }], passphrase: 'secret' });
    const { sign, publicText } = await openPgpKey(privateKey, 'secret');
    assert.match(publicText, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
    assert.match(await sign(Buffer.from('payload')), /^-----BEGIN PGP SIGNATURE-----/);
    await assert.rejects(openPgpKey(privateKey, 'wrong'));
    await assert.rejects(sshKey('no key', ''));
  });
});
