import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createMessage, generateKey, type PrivateKey, readPrivateKey, sign } from 'openpgp';
import { isSignedBySshKey } from '../../src/accounts/keys/ssh-signature.ts';
import { openPgpKey } from '../../src/instance/signing/openpgp-key.ts';
import { sshKey } from '../../src/instance/signing/ssh-key.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const generate = async (email: string) => {
  const { privateKey, publicKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name: 'Key', email }],
    date: new Date(1_600_000_000_000),
  });
  return { privateKey: await readPrivateKey({ armoredKey: privateKey }), armoredPrivate: privateKey, publicKey };
};
const servers = await generate('noreply@localhost');
const t = await testServer({
  signing: { key: servers.armoredPrivate, format: 'openpgp', name: 'The Server', email: 'server@example.com' },
});
const alice = await t.user('alice', { full_name: 'Alice Doe' });
const bob = await t.user('bob');
const demo = await codeRepository(t, alice, 'demo', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
const tree = await demo.git(['rev-parse', 'main^{tree}']);

const signWith = async (privateKey: PrivateKey, payload: string) => {
  const message = await createMessage({ binary: Buffer.from(payload) });
  return String(await sign({ message, signingKeys: privateKey, detached: true, format: 'armored', date: new Date(1_700_000_000_000) }));
};
/** Writes a signed commit and returns its verification in the API. */
const verificationOf = async (email: string, message: string, signer: (payload: string) => Promise<string>, written = message) => {
  const content = (text: string, header = '') =>
    `tree ${tree}\nauthor A <${email}> 1700000000 +0000\ncommitter A <${email}> 1700000000 +0000\n${header}\n${text}\n`;
  const signature = (await signer(content(message))).replaceAll('\r\n', '\n').trim();
  const input = content(written, `gpgsig ${signature.replaceAll('\n', '\n ')}\n`);
  const oid = await demo.git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
  const response = await t.anonymous.get(`${demo.path}/git/commits/${oid}?stat=false&files=false`);
  return { ...response.json.commit.verification, oid };
};

const own = await generate('alice@example.com');
const foreign = await generate('stranger@example.com');
await alice.must('POST', '/user/gpg_keys', { armored_public_key: own.publicKey });
const keyId = (key: PrivateKey) => key.getKeyID().toHex().toUpperCase();

describe('a commit signed with a key of a user', () => {
  it('is verified for any committer', async () => {
    for (const committer of ['alice@example.com', 'somebody@example.com']) {
      const { verified, reason, signer } = await verificationOf(committer, 'signed', (payload) => signWith(own.privateKey, payload));
      assert.deepEqual([verified, reason], [true, `alice / ${keyId(own.privateKey)}`]);
      assert.deepEqual(signer, { name: 'Alice Doe', email: 'alice@example.com', username: 'alice' });
    }
  });

  it('is not verified when it was changed afterwards', async () => {
    const told = await verificationOf('alice@example.com', 'signed', (payload) => signWith(own.privateKey, payload), 'changed');
    assert.deepEqual([told.verified, told.reason, told.signer], [false, 'gpg.error.probable_bad_signature', null]);
  });

  it('is not verified once the address is no longer confirmed', async () => {
    const { db } = t.context;
    const set = (is_activated: boolean) =>
      db.updateTable('email_addresses').set({ is_activated }).where('lower_email', '=', 'alice@example.com').execute();
    await set(false);
    const told = await verificationOf('alice@example.com', 'later', (payload) => signWith(own.privateKey, payload));
    await set(true);
    assert.equal(told.verified, false);
  });
});

describe('a commit signed with another key', () => {
  it('says that its owner is unknown', async () => {
    const told = await verificationOf('bob@example.com', 'signed', (payload) => signWith(foreign.privateKey, payload));
    assert.deepEqual([told.verified, told.reason, told.signer], [false, 'gpg.error.no_gpg_keys_found', null]);
    assert.match(told.signature, /^-----BEGIN PGP SIGNATURE-----\n/);
  });

  it('does not count for who merely claims the address of the key’s owner', async () => {
    const bobs = await generate('bob@example.com');
    await bob.must('POST', '/user/gpg_keys', { armored_public_key: bobs.publicKey });
    const { verified, signer } = await verificationOf('alice@example.com', 'as alice', (payload) => signWith(bobs.privateKey, payload));
    assert.deepEqual([verified, signer.username], [true, 'bob'], 'it is told whose key it was');
  });

  it('is not verified when the signature is nonsense', async () => {
    for (const [text, reason] of [
      ['-----BEGIN PGP SIGNATURE-----\n\nnonsense\n-----END PGP SIGNATURE-----', 'gpg.error.extract_sign'],
      ['x', 'gpg.error.extract_sign'],
      [`-----BEGIN SSH SIGNATURE-----\n${'A'.repeat(100)}\n-----END SSH SIGNATURE-----`, 'gpg.error.no_gpg_keys_found'],
    ] as const) {
      const told = await verificationOf('alice@example.com', 'nonsense', async () => text);
      assert.deepEqual([told.verified, told.reason], [false, reason], text);
    }
  });
});

describe('a commit signed by the server', () => {
  it('is verified', async () => {
    const key = await openPgpKey(servers.armoredPrivate, '');
    const told = await verificationOf('x@example.com', 'by the server', async (payload) => key.sign(Buffer.from(payload)));
    assert.deepEqual([told.verified, told.reason], [true, `The Server / ${keyId(servers.privateKey)}`]);
    assert.deepEqual(told.signer, { name: 'The Server', email: 'server@example.com', username: 'The Server' });
  });
});

describe('a signature made with an SSH key', () => {
  it('is checked for the key, what it is for, and what was signed', async () => {
    for (const { privateKey } of [generateKeyPairSync('ed25519'), generateKeyPairSync('rsa', { modulusLength: 2048 })]) {
      const key = await sshKey(String(privateKey.export({ format: 'pem', type: 'pkcs8' })), '');
      const payload = Buffer.from('tree …\n');
      const signature = String(await key.sign(payload));
      assert.ok(isSignedBySshKey(key.publicText, payload, signature));
      assert.ok(!isSignedBySshKey(key.publicText, Buffer.from('other'), signature));
      const other = await sshKey(String(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })), '');
      assert.ok(!isSignedBySshKey(other.publicText, payload, signature));
      const blob = Buffer.from(signature.replace(/-----[^-]+-----|\s/g, ''), 'base64');
      const namespace = blob.indexOf(Buffer.from('\0\0\0\x03git'));
      for (const broken of [blob.fill('x', namespace + 4, namespace + 7), blob.subarray(0, 60), blob.subarray(0, blob.length - 5)]) {
        const text = `-----BEGIN SSH SIGNATURE-----\n${broken.toString('base64')}\n-----END SSH SIGNATURE-----`;
        assert.ok(!isSignedBySshKey(key.publicText, payload, text));
      }
    }
  });
});
