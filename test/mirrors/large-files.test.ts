// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { batch, download, inShort, largeFile, pointerOf, upload } from '../lfs/objects.ts';
import { servers } from './servers.ts';

const { t, bob, other, alice, source, mirror, urlOf } = await servers();
const pointer = (text: string) => pointerOf(largeFile(text));
const add = (client: typeof bob, path: string, name: string, text: string) =>
  client.must('POST', `${path}/contents/${name}`, { content: Buffer.from(pointer(text)).toString('base64') });

describe('large files', () => {
  it('come along with a mirror and its updates', async () => {
    const demo = await source('demo', [{ label: 'one', files: { 'one.bin': pointer('one\n') } }]);
    await upload(alice, 'alice/demo', largeFile('one\n'));
    const copy = await mirror('demo', { lfs: true });
    assert.equal((await download(bob, 'bob/demo', largeFile('one\n').oid)).text, 'one\n');
    await add(alice, demo.path, 'two.bin', 'two\n');
    await upload(alice, 'alice/demo', largeFile('two\n'));
    await copy.sync();
    assert.equal((await download(bob, 'bob/demo', largeFile('two\n').oid)).text, 'two\n');
  });

  it('are not fetched unless requested', async () => {
    await source('plain', [{ label: 'one', files: { 'one.bin': pointer('three\n') } }]);
    await upload(alice, 'alice/plain', largeFile('three\n'));
    await mirror('plain');
    assert.deepEqual(inShort(await batch(bob, 'bob/plain', 'download', [largeFile('three\n')])), [404]);
  });

  it('go along with pushes', async () => {
    await source('target', []);
    const mine = await codeRepository(t, bob, 'mine', [{ label: 'one', files: { 'a.bin': pointer('mine\n') } }]);
    await upload(bob, 'bob/mine', largeFile('mine\n'));
    const signIn = { remote_username: 'alice', remote_password: alice.password };
    await bob.must('POST', `${mine.path}/push_mirrors`, {
      remote_address: urlOf('target'),
      interval: '8h',
      sync_on_commit: true,
      ...signIn,
    });
    await bob.must('POST', `${mine.path}/push_mirrors-sync`);
    await t.settled();
    assert.equal((await download(alice, 'alice/target', largeFile('mine\n').oid)).text, 'mine\n');
    await upload(bob, 'bob/mine', largeFile('more\n'));
    await add(bob, mine.path, 'b.bin', 'more\n');
    await t.settled();
    await other.settled();
    assert.equal((await download(alice, 'alice/target', largeFile('more\n').oid)).text, 'more\n');
    const [{ last_error }] = await bob.must('GET', `${mine.path}/push_mirrors`);
    assert.equal(last_error, '');
  });

  it('are fetched from no place that may not be reached', async () => {
    await source('far', [{ label: 'one', files: { 'one.bin': pointer('far\n') } }]);
    const migrate = (lfs_endpoint: string) =>
      bob.post('/repos/migrate', { clone_addr: urlOf('far'), repo_name: 'far', lfs: true, lfs_endpoint });
    for (const endpoint of ['http://10.0.0.1/x', 'file:///x', 'git://127.0.0.1/x', 'http://a:b@127.0.0.1/x'])
      assert.equal((await migrate(endpoint)).status, 422, endpoint);
    // A server that has none is a failed migration, of which nothing is left.
    assert.equal((await migrate(new URL('/none', urlOf('far')).href)).status, 422);
    assert.equal((await bob.get('/repos/bob/far')).status, 404);
  });
});
