import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { config, createMessage, enums, generateKey, type PrivateKey, readKeys, SignaturePacket, sign } from 'openpgp';
import { findUser } from '../../src/access/find-user.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const closed = await testServer({ users: { disabledFeatures: ['manage_ssh_keys', 'manage_gpg_keys'] } });
const [alice, bob] = [await t.user('alice'), await t.user('bob')];

let made = 0;
/** A fresh Ed25519 key in one line. */
function sshKey(): string {
  const key = Buffer.alloc(32, 9);
  key.writeUInt32BE(++made);
  return `ssh-ed25519 ${Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), key]).toString('base64')}`;
}

async function pgpKey(...emails: string[]) {
  const userIDs = emails.map((email) => ({ name: 'Somebody', email }));
  const { privateKey, publicKey } = await generateKey({ userIDs, format: 'object' });
  return { id: publicKey.getKeyID().toHex().toUpperCase(), armored: publicKey.armor(), privateKey };
}
async function signed(privateKey: PrivateKey, text: string): Promise<string> {
  const message = await createMessage({ text });
  return String(await sign({ message, signingKeys: privateKey, detached: true }));
}

describe('SSH keys', () => {
  it('belong to one user, also when two add one at once', async () => {
    const key = sshKey();
    const responses = await Promise.all([alice, bob].map((client) => client.post('/user/keys', { title: 'mine', key })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422]);
    const refused = responses.find(({ status }) => status === 422);
    assert.equal(refused?.json.message, 'Key content has been used as non-deploy key');
  });

  it('have titles of their own', async () => {
    await alice.must('POST', '/user/keys', { title: 'title', key: sshKey() });
    const again = await alice.post('/user/keys', { title: 'title', key: sshKey() });
    assert.deepEqual([again.status, again.json.message], [422, 'Key title has been used']);
    assert.equal((await alice.post('/user/keys', { title: 'x'.repeat(601), key: sshKey() })).status, 422);
    assert.equal((await alice.post('/user/keys', { title: '\u{1f600}'.repeat(600), key: sshKey() })).status, 201);
  });

  it('show their user to that user and administrators only', async () => {
    const { id } = await alice.must('POST', '/user/keys', { title: 'seen', key: sshKey() });
    assert.equal((await bob.must('GET', `/user/keys/${id}`)).user, undefined);
    assert.equal((await alice.must('GET', `/user/keys/${id}`)).user.login, 'alice');
    assert.equal((await t.admin.must('GET', `/user/keys/${id}`)).user.login, 'alice');
  });

  it('are removed by their user alone', async () => {
    const { id } = await alice.must('POST', '/user/keys', { title: 'kept', key: sshKey() });
    assert.equal((await bob.delete(`/user/keys/${id}`)).status, 403);
    assert.equal((await t.admin.delete(`/admin/users/bob/keys/${id}`)).status, 403);
    assert.equal((await t.admin.delete(`/admin/users/alice/keys/${id}`)).status, 204);
    assert.equal((await alice.delete(`/user/keys/${id}`)).status, 404);
    for (const odd of ['0', '-1', 'x', '1e3', '99999999999999999999'])
      assert.equal((await alice.get(`/user/keys/${odd}`)).status, 404, odd);
  });

  it('go with their user', async () => {
    const gone = await t.user('gone');
    const key = sshKey();
    await gone.must('POST', '/user/keys', { title: 'x', key });
    await t.admin.must('DELETE', '/admin/users/gone');
    assert.equal((await bob.post('/user/keys', { title: 'free again', key })).status, 201);
  });
});

describe('OpenPGP keys', () => {
  it('are taken with a confirmed address of the user', async () => {
    const key = await pgpKey('ALICE@example.com', 'other@example.com');
    const made = await alice.must('POST', '/user/gpg_keys', { armored_public_key: key.armored });
    assert.equal(made.key_id, key.id);
    assert.deepEqual(made.emails, [{ email: 'alice@example.com', verified: true }]);
    assert.equal(made.verified, false);
    assert.deepEqual([made.can_sign, made.can_encrypt_comms, made.can_certify], [true, false, true]);
    assert.equal(made.subkeys.length, 1);
    assert.deepEqual([made.subkeys[0].can_sign, made.subkeys[0].can_encrypt_comms], [false, true]);
    assert.equal((await bob.post('/user/gpg_keys', { armored_public_key: key.armored })).status, 422);
  });

  it('need a signature without one, and an address that is not confirmed is none', async () => {
    const key = await pgpKey('unconfirmed@example.com');
    const user = await findUser(t.context.db, 'alice');
    assert.ok(user);
    const address = { user_id: user.id, email: 'unconfirmed@example.com', lower_email: 'unconfirmed@example.com' };
    await t.context.db.insertInto('email_addresses').values(address).execute();
    const refused = await alice.post('/user/gpg_keys', { armored_public_key: key.armored });
    assert.equal(refused.status, 404);
    assert.match(refused.json.message, /^None of the emails/);
    const token = (await alice.get('/user/gpg_key_token')).text;
    const others = (await bob.get('/user/gpg_key_token')).text;
    const add = async (text: string) =>
      alice.post('/user/gpg_keys', { armored_public_key: key.armored, armored_signature: await signed(key.privateKey, text) });
    assert.equal((await add(others)).status, 422);
    const added = await add(`${token}\n`);
    assert.deepEqual([added.status, added.json.verified, added.json.emails], [201, true, []]);
  });

  it('do not count an address that somebody else wrote into them', async () => {
    const [victim, thief] = [await pgpKey('somebody@example.com'), await pgpKey('bob@example.com')];
    const [key] = await readKeys({ armoredKeys: victim.armored });
    const [other] = await readKeys({ armoredKeys: thief.armored });
    assert.ok(key && other?.users[0]);
    // The user id and its certification are those of another key: the key itself has not certified them.
    key.users.push(other.users[0]);
    const response = await bob.post('/user/gpg_keys', { armored_public_key: key.armor() });
    assert.equal(response.status, 404);
    key.users.length = 0;
    const nobodys = await bob.post('/user/gpg_keys', { armored_public_key: key.armor() });
    assert.deepEqual(
      [nobodys.status, nobodys.json.message],
      [422, `failed to parse gpg key openpgp: invalid data: v${key.keyPacket.version} entity without any identities`],
    );
    const { armored } = await pgpKey('bob@example.com');
    const cut = await bob.post('/user/gpg_keys', { armored_public_key: armored.slice(0, 200) });
    assert.equal(cut.json.message, 'failed to parse gpg key unexpected EOF');
    const indented = `\n  ${armored.replaceAll('\n', '\n\t')}`;
    assert.equal((await bob.post('/user/gpg_keys', { armored_public_key: indented })).status, 201);
    const words = await bob.post('/user/gpg_keys', { armored_public_key: 'words' });
    assert.equal(words.json.message, 'failed to parse gpg key openpgp: invalid argument: no armored data found');
  });

  it('cannot be taken from their owner by adding them first as subkeys', async () => {
    const userIDs = [{ email: 'alice@example.com' }];
    const { publicKey: hers } = await generateKey({ userIDs, subkeys: [{ sign: true }, {}], format: 'object' });
    const { privateKey, publicKey: theirs } = await generateKey({ userIDs: [{ email: 'bob@example.com' }], subkeys: [], format: 'object' });
    const binding = async (subkey: (typeof hers.subkeys)[number]) => {
      const signature = new SignaturePacket();
      Object.assign(signature, {
        signatureType: enums.signature.subkeyBinding,
        publicKeyAlgorithm: theirs.keyPacket.algorithm,
        hashAlgorithm: enums.hash.sha512,
        keyFlags: [enums.keyFlags.encryptCommunication],
      });
      // Its types know of signatures of texts alone.
      const bind = signature.sign as unknown as (...given: unknown[]) => Promise<void>;
      const data = { key: theirs.keyPacket, bind: subkey.keyPacket };
      await bind.call(signature, privateKey.keyPacket, data, new Date(), false, config);
      return signature;
    };
    const packets = theirs.toPacketList();
    for (const subkey of hers.subkeys) packets.push(subkey.keyPacket, await binding(subkey));
    const [stolen] = await readKeys({ binaryKeys: packets.write() });
    assert.ok(stolen);
    const first = await bob.must('POST', '/user/gpg_keys', { armored_public_key: stolen.armor() });
    assert.equal(first.subkeys.length, 2, 'whether they are anybody else’s is not known yet');
    const [signing] = hers.subkeys.map((subkey) => subkey.getKeyID().toHex().toUpperCase());
    const own = await alice.must('POST', '/user/gpg_keys', { armored_public_key: hers.armor() });
    assert.ok(own.subkeys.some(({ key_id }: { key_id: string }) => key_id === signing));
    const left = await bob.must('GET', `/user/gpg_keys/${first.id}`);
    assert.ok(!left.subkeys.some(({ key_id }: { key_id: string }) => key_id === signing));
  });

  it('prove nothing any more by a signature once they have expired', async () => {
    const date = new Date(Date.now() - 30 * 86_400_000);
    const userIDs = [{ email: 'elsewhere@example.com' }];
    const { privateKey, publicKey } = await generateKey({ userIDs, date, keyExpirationTime: 86_400, format: 'object' });
    const message = await createMessage({ text: (await alice.get('/user/gpg_key_token')).text });
    const made = new Date(date.getTime() + 60_000);
    const armored_signature = String(await sign({ message, signingKeys: privateKey, detached: true, date: made }));
    const response = await alice.post('/user/gpg_keys', { armored_public_key: publicKey.armor(), armored_signature });
    assert.equal(response.status, 422);
    assert.match(response.json.message, /do not match or token is out of date/);
  });

  it('are verified by their own signature, by their user', async () => {
    const key = await pgpKey('bob@example.com');
    await bob.must('POST', '/user/gpg_keys', { armored_public_key: key.armored });
    const tokens = { alice: (await alice.get('/user/gpg_key_token')).text, bob: (await bob.get('/user/gpg_key_token')).text };
    const body = async (text: string) => ({ key_id: key.id, armored_signature: await signed(key.privateKey, text) });
    assert.equal((await alice.post('/user/gpg_key_verify', await body(tokens.alice))).status, 404);
    assert.equal((await bob.post('/user/gpg_key_verify', await body(tokens.alice))).status, 422);
    const verified = await bob.post('/user/gpg_key_verify', { ...(await body(tokens.bob)), key_id: `0x${key.id.toLowerCase()}` });
    assert.deepEqual([verified.status, verified.json.verified], [200, true]);
  });

  it('lose an address that its user no longer has', async () => {
    await bob.must('POST', '/user/emails', { emails: ['old@example.com'] });
    const key = await pgpKey('old@example.com');
    const { id } = await bob.must('POST', '/user/gpg_keys', { armored_public_key: key.armored });
    await bob.must('DELETE', '/user/emails', { emails: ['old@example.com'] });
    assert.deepEqual((await bob.must('GET', `/user/gpg_keys/${id}`)).emails, [{ email: 'old@example.com', verified: false }]);
  });

  it('are removed with their subkeys, by their user alone', async () => {
    const key = await pgpKey('alice@example.com');
    const { id } = await alice.must('POST', '/user/gpg_keys', { armored_public_key: key.armored });
    assert.equal((await bob.delete(`/user/gpg_keys/${id}`)).status, 204);
    assert.equal((await alice.get(`/user/gpg_keys/${id}`)).status, 200);
    assert.equal((await alice.delete(`/user/gpg_keys/${id}`)).status, 204);
    const left = await t.context.db.selectFrom('gpg_keys').select('id').where('primary_key_id', '=', key.id).execute();
    assert.deepEqual(left, []);
  });

  it('are refused when they are private, none, or too large', async () => {
    const { privateKey } = await pgpKey('alice@example.com');
    for (const armored of [
      privateKey.armor(),
      'x',
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----',
      'x'.repeat(300_000),
    ]) {
      assert.equal((await alice.post('/user/gpg_keys', { armored_public_key: armored })).status, 422);
    }
  });
});

describe('an instance where users do not manage keys', () => {
  it('refuses new ones and removals', async () => {
    const user = await closed.user('carol');
    assert.equal((await user.post('/user/keys', { title: 'x', key: sshKey() })).status, 404);
    assert.equal((await user.delete('/user/keys/1')).status, 404);
    assert.equal((await user.post('/user/gpg_keys', { armored_public_key: 'x' })).status, 404);
    assert.equal((await user.get('/user/keys')).status, 200);
  });
});
