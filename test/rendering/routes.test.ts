import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.post('/user/repos', { name: 'demo', auto_init: true });
await alice.post('/user/repos', { name: 'secret', private: true, auto_init: true });

describe('rendering over HTTP', () => {
  it('returns HTML, with the references of a repository', async () => {
    const [commit] = (await alice.get('/repos/alice/demo/commits')).json ?? [];
    const id = commit?.sha ?? '0'.repeat(40);
    const { status, headers, text } = await bob.post('/repos/alice/demo/markdown', { Text: `#1 @bob @nobody ${id}`, Mode: 'comment' });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(text, /href="[^"]*\/alice\/demo\/issues\/1"[^>]*>#1<\/a> <a href="[^"]*\/bob"[^>]*>@bob<\/a> @nobody/);
    if (commit) assert.match(text, new RegExp(`/alice/demo/commit/${id}"[^>]*><code>${id.slice(0, 10)}</code>`));
  });
  it('reports in plain text what cannot be rendered', async () => {
    for (const [body, message] of [
      [{ Text: 'x', Mode: 'sideways' }, 'unsupported render mode: sideways\n'],
      [{ Text: 'x', Mode: 'file', FilePath: 'x.unknown' }, 'unable to find a render\n'],
    ] as const) {
      const response = await alice.post('/markup', body);
      assert.deepEqual([response.status, response.text], [422, message]);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
    }
  });
  it('renders a NUL as the sign for what is not a character', async () => {
    assert.equal((await alice.post('/markdown', { Text: 'a\0b' })).text, '<p dir="auto">a\ufffdb</p>\n');
  });
  it('renders in a repository for those who may read it', async () => {
    assert.equal((await bob.post('/repos/alice/secret/markdown', { Text: '#1', Mode: 'comment' })).status, 404);
    assert.equal((await t.anonymous.post('/markdown', { Text: 'x' })).status, 401);
  });
  it('a word like a commit id outside of a repository leaves the server up', async () => {
    for (const Mode of ['gfm', 'comment', 'wiki']) {
      assert.equal((await alice.post('/markdown', { Text: `a ${'0123456789'.repeat(4)} b`, Mode })).status, 200);
    }
    assert.equal((await alice.send('POST', '/markdown/raw', { raw: '*a*', type: 'text/plain' })).text, '<p dir="auto"><em>a</em></p>\n');
  });
});
