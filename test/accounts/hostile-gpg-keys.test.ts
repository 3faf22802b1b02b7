import assert from 'node:assert/strict';
import { it } from 'node:test';
import { armor, createMessage, enums, generateKey, sign } from 'openpgp';
import { signingKeyId } from '../../src/accounts/keys/gpg-signature.ts';
import { dsaKey } from '../support/dsa-key.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

it('an OpenPGP key that takes minutes to verify is refused at once', async () => {
  for (const bits of [
    { p: 8192, q: 8192 },
    { p: 3072, q: 3072 },
    { p: 65528, q: 256 },
  ]) {
    const { json, status } = await alice.post('/user/gpg_keys', { armored_public_key: dsaKey(bits, 'alice@example.com').key });
    assert.deepEqual([status, json.message], [422, 'a DSA key has at most 3072 bits, and its subgroup 256']);
  }
});

it('one of a size that is in use is verified', async () => {
  const { json, status } = await alice.post('/user/gpg_keys', {
    armored_public_key: dsaKey({ p: 3072, q: 256 }, 'alice@example.com').key,
  });
  // It has not certified the address.
  assert.equal(status, 404);
  assert.match(json.message, /^None of the emails/);
});

it('a key that was stored before has made no signature', { timeout: 60_000 }, async () => {
  const { key, sign } = dsaKey({ p: 16384, q: 16384 }, 'alice@example.com');
  const verification = { armoredKeys: key, payload: Buffer.from('text'), armoredSignature: sign('text') };
  assert.equal(await signingKeyId(t.context, verification), undefined);
});

it('a signature of a kind that nobody knows proves nothing', async () => {
  const { privateKey, publicKey } = await generateKey({ userIDs: [{ email: 'alice@example.com' }], format: 'object' });
  const message = await createMessage({ text: (await alice.get('/user/gpg_key_token')).text });
  const bytes = await sign({ message, signingKeys: privateKey, detached: true, format: 'binary' });
  // After the header of the packet: its version and its type (RFC 9580, section 5.2.3).
  const body = (bytes[1] ?? 0) < 192 ? 2 : 3;
  bytes[body + 1] = 99;
  const { json, status } = await alice.post('/user/gpg_keys', {
    armored_public_key: publicKey.armor(),
    armored_signature: String(armor(enums.armor.signature, bytes)),
  });
  assert.equal(status, 422);
  assert.match(json.message, /^The provided GPG key, signature and token do not match/);
});

it('keys are limited in their length together', async () => {
  const { id } = await alice.must('GET', '/user');
  const row = { user_id: id, content: '', emails: '[]', can_sign: true, can_encrypt: false, created_at: 0, added_at: 0, expires_at: null };
  const long = { ...row, key_id: 'AAAAAAAAAAAAAAAA', armored: 'x'.repeat(4 * 1024 * 1024), verified: false, proven: true };
  await t.context.db.insertInto('gpg_keys').values(long).execute();
  const { json, status } = await alice.post('/user/gpg_keys', {
    armored_public_key: dsaKey({ p: 1024, q: 160 }, 'alice@example.com').key,
  });
  assert.deepEqual([status, json.message], [422, 'the OpenPGP keys of a user have at most 4194304 characters together']);
});
