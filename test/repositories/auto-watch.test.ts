// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer({ users: { autoWatchOnChanges: true, autoWatchNewRepositories: false } });
const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'write' });
const write = (file: string) => bob.must('POST', `/repos/alice/demo/contents/${file}`, { content: 'eA==' });
const isWatching = async () => (await bob.get('/repos/alice/demo/subscription')).status === 200;

describe('where changes make watchers', () => {
  it('who pushes watches from then on, until they say no', async () => {
    assert.equal(await isWatching(), false);
    await write('one.txt');
    await t.settled();
    assert.equal(await isWatching(), true);
    assert.equal((await alice.must('GET', '/repos/alice/demo')).watchers_count, 1);
    await bob.must('DELETE', '/repos/alice/demo/subscription');
    await write('two.txt');
    await t.settled();
    assert.equal(await isWatching(), false);
  });
});
