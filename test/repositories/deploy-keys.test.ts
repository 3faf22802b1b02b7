// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const server = await testServer();
const alice = await server.user('alice');
const bob = await server.user('bob');
for (const name of ['demo', 'second', 'gone']) await alice.must('POST', '/user/repos', { name });
await bob.must('POST', '/user/repos', { name: 'own' });

function newKey(): string {
  return String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
}
const stored = () => server.context.db.selectFrom('ssh_keys').select(['type', 'fingerprint']).where('type', '=', 'deploy').execute();

describe('deploy keys', () => {
  it('may read only when that is asked for, and write otherwise', async () => {
    const reading = await alice.must('POST', '/repos/alice/demo/keys', { title: 'Reading', key: newKey(), read_only: true });
    const writing = await alice.must('POST', '/repos/alice/demo/keys', { title: 'Writing', key: newKey() });
    const { json } = await alice.get('/repos/alice/demo/keys');
    assert.deepEqual(
      json.map((key: { title: string; read_only: boolean; repository: { permissions: object } }) => [
        key.title,
        key.read_only,
        key.repository.permissions,
      ]),
      [
        ['Reading', true, { admin: false, push: false, pull: true }],
        ['Writing', false, { admin: false, push: true, pull: true }],
      ],
    );
    assert.deepEqual((await alice.get(`/repos/alice/demo/keys?fingerprint=${encodeURIComponent(writing.fingerprint)}`)).json.length, 1);
    for (const { id } of [reading, writing]) await alice.must('DELETE', `/repos/alice/demo/keys/${id}`);
  });

  it('are shared by repositories, and forgotten with the last that they open', async () => {
    const key = newKey();
    const first = await alice.must('POST', '/repos/alice/demo/keys', { title: 'One', key });
    const second = await alice.must('POST', '/repos/alice/second/keys', { title: 'Two', key, read_only: true });
    assert.equal(first.key_id, second.key_id);
    assert.equal((await stored()).length, 1);
    await alice.must('DELETE', `/repos/alice/demo/keys/${first.id}`);
    assert.equal((await alice.get(`/repos/alice/second/keys/${second.id}`)).json.read_only, true);
    await alice.must('DELETE', `/repos/alice/second/keys/${second.id}`);
    assert.deepEqual(await stored(), []);
  });

  it('are nobody else’s keys', async () => {
    const [own, deployed] = [newKey(), newKey()];
    await alice.must('POST', '/user/keys', { title: 'Mine', key: own });
    assert.equal((await alice.post('/repos/alice/demo/keys', { title: 'x', key: own })).status, 422);
    const { id } = await alice.must('POST', '/repos/alice/demo/keys', { title: 'x', key: deployed });
    assert.equal((await bob.post('/user/keys', { title: 'x', key: deployed })).status, 422);
    assert.equal((await alice.post('/repos/alice/demo/keys', { title: 'y', key: deployed })).status, 422);
    assert.equal((await alice.post('/repos/alice/demo/keys', { title: 'x', key: newKey() })).status, 422);
    await alice.must('DELETE', `/repos/alice/demo/keys/${id}`);
    assert.deepEqual(await stored(), []);
  });

  it('go with their repository, and can be used again at once', async () => {
    const key = newKey();
    await alice.must('POST', '/repos/alice/gone/keys', { title: 'x', key });
    await alice.must('DELETE', '/repos/alice/gone');
    await alice.must('POST', '/user/keys', { title: 'Again', key });
  });

  it('are found only in the repository that they open', async () => {
    const { id } = await alice.must('POST', '/repos/alice/demo/keys', { title: 'x', key: newKey() });
    assert.equal((await bob.get(`/repos/bob/own/keys/${id}`)).status, 404);
    await bob.delete(`/repos/bob/own/keys/${id}`);
    assert.equal((await alice.get(`/repos/alice/demo/keys/${id}`)).status, 200);
    assert.equal((await bob.get(`/repos/alice/demo/keys/${id}`)).status, 403);
  });
});
