// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateKey, readKeys } from 'openpgp';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice.doe');
await t.user('hermit', { visibility: 'private' });
const path = join(mkdtempSync(join(t.folder, 'keys-')), 'id');
execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'alice@home', '-f', path]);
const ssh = readFileSync(`${path}.pub`, 'utf8');
await alice.must('POST', '/user/keys', { title: 'home', key: ssh });
const fingerprints: string[] = [];
for (let i = 0; i < 2; i++) {
  const { publicKey } = await generateKey({ userIDs: [{ email: 'alice.doe@example.com' }], format: 'object' });
  await alice.must('POST', '/user/gpg_keys', { armored_public_key: publicKey.armor() });
  fingerprints.push(publicKey.getFingerprint());
}
const get = (file: string, client = t.anonymous) => client.get(`//${file}`);

describe('at the URL of a user', () => {
  it('are the SSH keys, without comments, for authorized_keys', async () => {
    const { status, text, headers } = await get('alice.doe.keys');
    assert.deepEqual([status, text], [200, `${ssh.split(' ').slice(0, 2).join(' ')}\n`]);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.deepEqual([(await get('admin.keys')).status, (await get('admin.keys')).text], [200, '']);
  });

  it('are the OpenPGP keys in one text', async () => {
    const { status, text } = await get('alice.doe.gpg');
    assert.equal(status, 200);
    const keys = await readKeys({ armoredKeys: text });
    assert.deepEqual(keys.map((key) => key.getFingerprint()).sort(), [...fingerprints].sort());
    assert.match((await get('admin.gpg')).text, /^-----BEGIN PGP PUBLIC KEY BLOCK-----\nComment: This user has no OpenPGP keys\./);
  });

  it('is the picture', async () => {
    const { status, headers } = await get('alice.doe.png');
    const { avatar_url } = await alice.must('GET', '/user');
    assert.deepEqual([status, headers.get('location')], [303, avatar_url]);
  });

  it('is nothing of those who are not there or do not show themselves', async () => {
    for (const file of ['nobody.keys', 'hermit.keys', 'hermit.gpg', 'hermit.png', 'alice.doe.keyss', '.keys', '%00.keys'])
      assert.equal((await get(file)).status, 404, file);
    assert.equal((await get('hermit.keys', t.admin)).status, 200);
  });

  it('is found under a former name', async () => {
    await t.user('old');
    await t.admin.must('POST', '/admin/users/old/rename', { new_username: 'new' });
    const { status, headers } = await get('old.keys');
    assert.equal(Math.floor(status / 100), 3);
    assert.match(headers.get('location') ?? '', /\/new\.keys$/);
  });
});
