// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sshField } from '../../src/accounts/keys/ssh-fields.ts';
import { isSignedBySshKey } from '../../src/accounts/keys/ssh-signature.ts';
import { sshKey } from '../../src/instance/signing/ssh-key.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const old = await sshKey(String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })), '');
const t = await testServer({
  signing: { trustedSshKeys: ['nonsense', old.publicText.trim()], name: 'The Server', email: 'server@example.com' },
});
const [alice, bob] = await Promise.all([t.user('alice', { full_name: 'Alice Doe' }), t.user('bob')]);
const demo = await codeRepository(t, alice, 'demo', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
const tree = await demo.git(['rev-parse', 'main^{tree}']);

/** A key pair made by OpenSSH, and signatures made by it. */
function keyOf(type: string, ...options: string[]) {
  const path = join(t.folder, `${type}${options.join('')}-${Math.random()}`);
  execFileSync('ssh-keygen', ['-q', '-t', type, ...options, '-N', '', '-C', 'me', '-f', path]);
  const sign = (text: string, namespace = 'git') => {
    const file = `${path}.text`;
    writeFileSync(file, text);
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', path, file], { stdio: 'ignore' });
    const signature = readFileSync(`${file}.sig`, 'utf8');
    execFileSync('rm', [`${file}.sig`]);
    return signature;
  };
  return { publicKey: readFileSync(`${path}.pub`, 'utf8').trim(), sign };
}

async function verificationOf(email: string, message: string, sign: (payload: string) => string | Promise<string>) {
  const content = (header = '') =>
    `tree ${tree}\nauthor A <${email}> 1700000000 +0000\ncommitter A <${email}> 1700000000 +0000\n${header}\n${message}\n`;
  const signature = (await sign(content())).trim();
  const input = content(`gpgsig ${signature.replaceAll('\n', '\n ')}\n`);
  const oid = await demo.git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
  const { verified, reason, signer } = (await t.anonymous.get(`${demo.path}/git/commits/${oid}`)).json.commit.verification;
  return { verified, reason, signer };
}

describe('an SSH key of a user', () => {
  for (const [type, ...options] of [
    ['ed25519'],
    ['rsa', '-b', '3072'],
    ['ecdsa', '-b', '256'],
    ['ecdsa', '-b', '384'],
    ['ecdsa', '-b', '521'],
  ]) {
    it(`vouches for commits once the user has proved to have it (${[type, ...options].join(' ')})`, async () => {
      const key = keyOf(type ?? '', ...options);
      const added = await alice.must('POST', '/user/keys', { title: key.publicKey.slice(0, 200), key: key.publicKey });
      assert.equal(added.verified, false);
      const ask = (email = 'alice@example.com') => verificationOf(email, 'signed', (payload) => key.sign(payload));
      assert.deepEqual([(await ask()).verified, (await ask()).reason], [false, 'gpg.error.no_gpg_keys_found']);
      const token = (await alice.get('/user/gpg_key_token')).text;
      const proved = await alice.post(`/user/keys/${added.id}/verify`, { armored_signature: key.sign(`${token}\n`, 'copse') });
      assert.deepEqual([proved.status, proved.json.verified], [200, true]);
      const told = await ask();
      assert.deepEqual([told.verified, told.reason], [true, `alice / ${added.fingerprint}`]);
      assert.deepEqual(told.signer, { name: 'Alice Doe', email: 'alice@example.com', username: 'alice' });
      assert.equal((await ask('bob@example.com')).verified, false, 'a commit of somebody else');
      assert.equal((await verificationOf('alice@example.com', 'signed', () => key.sign('something else'))).verified, false);
    });
  }

  it('is proved by its user, with a signature of the user’s token for that purpose', async () => {
    const key = keyOf('ed25519');
    const { id } = await bob.must('POST', '/user/keys', { title: 'key', key: key.publicKey });
    const [own, other] = [(await bob.get('/user/gpg_key_token')).text, (await alice.get('/user/gpg_key_token')).text];
    const verify = (client: typeof bob, armored_signature: string) => client.post(`/user/keys/${id}/verify`, { armored_signature });
    assert.equal((await verify(alice, key.sign(other, 'copse'))).status, 404);
    for (const signature of [key.sign(other, 'copse'), key.sign(own, 'git'), keyOf('ed25519').sign(own, 'copse'), 'x', '']) {
      assert.equal((await verify(bob, signature)).status, 422);
    }
    assert.equal((await t.anonymous.post(`/user/keys/${id}/verify`, { armored_signature: 'x' })).status, 401);
    assert.equal((await bob.must('GET', `/user/keys/${id}`)).verified, false);
    assert.equal((await verify(bob, key.sign(own, 'copse'))).status, 200);
  });

  it('in a token counts when somebody has touched it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const type = 'sk-ssh-ed25519@openssh.com';
    const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    const blob = Buffer.concat([sshField(type), sshField(x), sshField('ssh:')]);
    const signed = (payload: string, flags: number, rest = 4) => {
      const about = Buffer.concat([sshField('git'), sshField(''), sshField('sha512')]);
      const text = Buffer.concat([Buffer.from('SSHSIG'), about, sshField(createHash('sha512').update(payload).digest())]);
      const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
      const flagsAndCounter = Buffer.concat([Buffer.of(flags), Buffer.alloc(rest, 1)]);
      const bytes = signBytes(null, Buffer.concat([hash('ssh:'), flagsAndCounter, hash(text)]), privateKey);
      const own = Buffer.concat([sshField(type), sshField(bytes), flagsAndCounter]);
      const all = Buffer.concat([Buffer.from('SSHSIG\0\0\0\x01', 'latin1'), sshField(blob), about, sshField(own)]);
      return `-----BEGIN SSH SIGNATURE-----\n${all.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
    };
    const key = `${type} ${blob.toString('base64')}`;
    assert.ok(isSignedBySshKey(key, Buffer.from('text'), signed('text', 1)));
    assert.ok(!isSignedBySshKey(key, Buffer.from('other'), signed('text', 1)));
    assert.ok(!isSignedBySshKey(key, Buffer.from('text'), signed('text', 0)));
    assert.ok(!isSignedBySshKey(key, Buffer.from('text'), signed('text', 1, 5)));
  });
});

describe('an earlier SSH key of the server', () => {
  it('still counts where the settings trust it', async () => {
    const told = await verificationOf('somebody@example.com', 'old', async (payload) => old.sign(Buffer.from(payload)));
    assert.deepEqual([told.verified, told.reason.split(' / ')[0]], [true, 'The Server']);
    assert.deepEqual(told.signer, { name: 'The Server', email: 'somebody@example.com', username: 'The Server' });
  });
});

describe('a tag', () => {
  it('shows its own signature, and without one that of its commit', async () => {
    const commit = await demo.git(['rev-parse', 'main']);
    const tagged = async (name: string, sign?: (payload: string) => Promise<string>) => {
      const text = `object ${commit}\ntype commit\ntag ${name}\ntagger A <a@example.com> 1700000000 +0000\n\nTagged\n`;
      const oid = await demo.git(['hash-object', '-t', 'tag', '-w', '--stdin'], { input: text + ((await sign?.(text)) ?? '') });
      await demo.git(['update-ref', `refs/tags/${name}`, oid]);
      return (await t.anonymous.get(`${demo.path}/git/tags/${oid}`)).json;
    };
    assert.equal((await tagged('plain')).verification.reason, 'gpg.error.not_signed_commit');
    const signed = await tagged('signed', async (text) => old.sign(Buffer.from(text)));
    assert.deepEqual([signed.message, signed.verification.verified], ['Tagged', true]);
  });
});
