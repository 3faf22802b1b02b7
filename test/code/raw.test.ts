import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const large = Buffer.alloc(600_000, 'abcdefghij');
const evil = 'a"\r\nSet-Cookie: x=1\r\n\r\n<ü>;filename=x.html';
const demo = await codeRepository(t, alice, 'demo', [
  {
    label: 'one',
    date: '1700000000 +0000',
    files: {
      'README.md': '# demo\n',
      'src/main.js': 'hello\n',
      'page.html': '<script>alert(1)</script>\n',
      'image.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>\n',
      'large.txt': large,
      empty: '',
      link: { mode: '120000', content: 'src/main.js' },
    },
  },
  { label: 'topic', branch: 'feature/x', from: 'one', files: { 'src/main.js': 'topic\n', 'main/inner.txt': 'inner\n' } },
]);
await demo.git(['tag', '-a', '-m', 'v', 'v1.0', 'feature/x']);
const raw = (path: string, headers: Record<string, string> = {}) => alice.get(`${demo.path}/raw/${path}`, { headers });

describe('the path', () => {
  it('may begin with a branch, a tag or a commit, or follow one given apart', async () => {
    for (const [path, text] of [
      ['src/main.js', 'hello\n'],
      ['main/src/main.js', 'hello\n'],
      ['HEAD/src/main.js', 'hello\n'],
      ['feature/x/src/main.js', 'topic\n'],
      ['v1.0/src/main.js', 'topic\n'],
      [`${demo.id('topic')}/src/main.js`, 'topic\n'],
      ['src/main.js?ref=feature/x', 'topic\n'],
      ['main/inner.txt?ref=v1.0', 'inner\n'],
      ['src/main.js?ref=feature/x~1', 'hello\n'],
      ['src/main.js?ref=missing', 'hello\n'],
    ]) {
      assert.equal((await raw(path ?? '')).text, text, path ?? '');
    }
  });

  it('at the root names what the first part is', async () => {
    for (const [path, text] of [
      ['branch/feature/x/src/main.js', 'topic\n'],
      ['tag/v1.0/src/main.js', 'topic\n'],
      ['branch/HEAD/src/main.js', 'hello\n'],
      [`commit/${demo.id('one')}/src/main.js`, 'hello\n'],
      [`commit/${demo.id('one').slice(0, 10)}/src/main.js`, 'hello\n'],
    ]) {
      assert.equal((await t.anonymous.get(`//alice/demo/raw/${path}`)).text, text);
      assert.equal((await t.anonymous.get(`//alice/demo/media/${path}`)).text, text);
    }
    for (const path of [
      'branch/v1.0/README.md',
      'tag/main/README.md',
      'commit/main/README.md',
      'branch/main/missing',
      `commit/${demo.id('one').slice(0, 3)}/src/main.js`,
    ]) {
      assert.equal((await alice.get(`//alice/demo/raw/${path}`)).status, 404, path);
    }
  });

  it('at the root leads on where it does not name the kind of its first part', async () => {
    for (const page of ['raw', 'media']) {
      for (const [path, typed] of [
        ['main/src/main.js', 'branch/main/src/main.js'],
        ['HEAD/src/main.js', 'branch/HEAD/src/main.js'],
        ['feature/x/src/main.js', 'branch/feature/x/src/main.js'],
        ['v1.0/src/main.js', 'tag/v1.0/src/main.js'],
        [`${demo.id('one')}/src/main.js`, `commit/${demo.id('one')}/src/main.js`],
        ['other/%C3%A4', 'branch/main/other/%C3%A4'],
      ]) {
        const { status, headers } = await t.anonymous.get(`//alice/demo/${page}/${path}?x=1`);
        assert.deepEqual([status, headers.get('location')], [303, `/alice/demo/${page}/${typed}`]);
      }
    }
  });

  it('leads to files alone', async () => {
    for (const [path, message] of [
      ['src', 'getBlobForEntry'],
      ['missing', 'not found'],
      [`${'0'.repeat(40)}/README.md`, 'unable to find a git ref'],
    ]) {
      const response = await raw(path ?? '');
      assert.deepEqual([response.status, response.json.message], [404, message]);
    }
    assert.equal((await raw('link')).text, 'src/main.js', 'a link is not followed');
  });

  it('is looked at only so far for a ref', async () => {
    assert.equal((await raw(Array.from({ length: 2000 }, () => 'a').join('/'))).status, 404);
  });
});

describe('a blob', () => {
  const blob = (id: string, page = 'raw') => t.anonymous.get(`//alice/demo/${page}/blob/${id}`);

  it('is served by its id', async () => {
    const { json } = await alice.get(`${demo.path}/contents/page.html`);
    for (const page of ['raw', 'media']) {
      const { text, headers } = await blob(json.sha, page);
      assert.deepEqual([text, headers.get('content-type')], ['<script>alert(1)</script>\n', 'text/plain; charset=utf-8']);
      assert.equal(headers.get('etag'), `"${json.sha}"`);
    }
    for (const other of [json.sha.slice(0, 10), '0'.repeat(40), 'zzz', demo.id('one'), 'HEAD:README.md'])
      assert.equal((await blob(other)).status, 404, other);
  });

  it('is hidden with its repository', async () => {
    const closed = await codeRepository(t, alice, 'closed', [{ label: 'one', files: { 'a.txt': 'secret\n' } }]);
    const { json } = await alice.get(`${closed.path}/contents/a.txt`);
    await alice.must('PATCH', closed.path, { private: true });
    for (const path of [`raw/blob/${json.sha}`, `media/blob/${json.sha}`, 'raw/main/a.txt'])
      assert.equal((await t.anonymous.get(`//alice/closed/${path}`)).status, 404, path);
  });
});

describe('a renamed branch', () => {
  const led = async (path: string) => {
    const { status, headers } = await t.anonymous.get(`//alice/branches/${path}`);
    return [status, headers.get('location')];
  };

  it('is led to by its former names, at the root', async () => {
    const { path, git } = await codeRepository(t, alice, 'branches', [{ label: 'one', files: { 'ä b.txt': 'x\n', 'README.md': 'x\n' } }]);
    await git(['branch', 'old/a', 'main']);
    const rename = (from: string, to: string) => alice.must('PATCH', `${path}/branches/${encodeURIComponent(from)}`, { name: to });
    await rename('old/a', 'new-ü');
    for (const kind of ['raw', 'media', 'rss', 'atom'])
      assert.deepEqual(await led(`${kind}/branch/old/a/%C3%A4%20b.txt?x=1`), [
        303,
        `/alice/branches/${kind}/branch/new-%C3%BC/%C3%A4%20b.txt`,
      ]);
    assert.deepEqual(await led('raw/branch/old%2Fa/README.md'), [303, '/alice/branches/raw/branch/new-%C3%BC/README.md']);
    for (const other of ['raw/tag/old/a/README.md', 'raw/branch/old/README.md', 'raw/branch/a/README.md'])
      assert.equal((await led(other))[0], 404);
    // The API leads nowhere, and does not take the default branch for it either.
    for (const query of ['old/a/README.md', 'README.md?ref=old/a', 'README.md?ref=main:README.md']) {
      const { status, json } = await alice.get(`${path}/raw/${query}`);
      assert.deepEqual([status, json.message], [404, 'unable to find a git ref']);
    }
    await rename('new-ü', 'last');
    assert.deepEqual(await led('raw/branch/old/a/README.md'), [303, '/alice/branches/raw/branch/new-%C3%BC/README.md']);
    assert.deepEqual(await led('raw/branch/new-ü/README.md'), [303, '/alice/branches/raw/branch/last/README.md']);
    await rename('last', 'old/a');
    assert.equal((await led('raw/branch/old/a/README.md'))[0], 200);
    await alice.must('DELETE', `${path}/branches/old%2Fa`);
    assert.equal((await led('raw/branch/last/README.md'))[0], 303);
    assert.equal((await led('raw/branch/old/a/README.md'))[0], 404, 'no circle');
  });

  it('is hidden with its repository', async () => {
    await alice.must('PATCH', '/repos/alice/branches', { private: true });
    assert.equal((await led('raw/branch/last/README.md'))[0], 404);
  });
});

describe('what is served', () => {
  it('runs in no browser', async () => {
    for (const [path, type] of [
      ['page.html', 'text/plain; charset=utf-8'],
      ['image.svg', 'image/svg+xml'],
      ['src/main.js', 'text/plain; charset=utf-8'],
    ]) {
      const { headers } = await raw(path ?? '');
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'unsafe-inline'; sandbox/);
      const media = await alice.get(`${demo.path}/media/${path}`);
      assert.equal(media.headers.get('content-type'), type);
    }
    assert.match((await alice.get(`${demo.path}/media/image.svg`)).headers.get('content-security-policy') ?? '', /sandbox/);
  });

  it('no name of a file ends a header', async () => {
    const odd = await codeRepository(t, alice, 'odd', []);
    const blob = await odd.git(['hash-object', '-w', '--stdin'], { input: 'x' });
    const tree = await odd.git(['mktree', '-z'], { input: `100644 blob ${blob}\t${evil.replace('/', '')}\0` });
    const commit = await odd.git(['commit-tree', '-m', 'odd', tree]);
    await odd.git(['update-ref', 'refs/heads/main', commit]);
    await t.context.db.updateTable('repositories').set({ is_empty: false }).where('id', '=', odd.row.id).execute();
    const response = await alice.get(`${odd.path}/raw/${encodeURIComponent(evil)}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('set-cookie'), null);
    assert.equal(
      response.headers.get('content-disposition'),
      `inline; filename="a\\"__Set-Cookie: x=1____<_>;filename=x.html"; filename*=utf-8''${encodeURIComponent(evil)}`,
    );
  });

  it('can be requested again, and in parts', async () => {
    const { headers } = await raw('src/main.js');
    const etag = headers.get('etag') ?? '';
    assert.equal(headers.get('last-modified'), 'Tue, 14 Nov 2023 22:13:20 GMT');
    assert.deepEqual(
      [
        (await raw('src/main.js', { 'if-none-match': `"x", W/${etag}` })).status,
        (await raw('src/main.js', { 'if-none-match': '"x"' })).status,
      ],
      [304, 200],
    );
    assert.equal((await raw('src/main.js', { 'if-modified-since': 'Tue, 14 Nov 2023 22:13:20 GMT' })).status, 304);
    const part = await raw('src/main.js', { range: 'bytes=1-3' });
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, 'ell', 'bytes 1-3/6']);
    const beyond = await raw('src/main.js', { range: 'bytes=6-' });
    assert.deepEqual([beyond.status, beyond.text, beyond.headers.get('content-range')], [416, 'invalid start range\n', 'bytes */6']);
    assert.equal((await raw('empty')).headers.get('content-length'), '0');
  });

  it('is passed on as it is read when it is large', async () => {
    const whole = await raw('large.txt');
    assert.ok(whole.bytes.equals(large));
    assert.deepEqual([whole.headers.get('content-length'), whole.headers.get('content-type')], ['600000', 'text/plain; charset=utf-8']);
    const part = await raw('large.txt', { range: 'bytes=299999-300010' });
    assert.deepEqual([part.status, part.text], [206, 'jabcdefghija']);
    assert.equal((await raw('large.txt', { range: 'bytes=-3' })).text, 'hij');
    assert.ok((await alice.get(`${demo.path}/media/large.txt`)).bytes.equals(large));
  });

  it('is cached by others only if everybody may see it', async () => {
    assert.match((await raw('README.md')).headers.get('cache-control') ?? '', /^public, max-age=21600/);
    await t.context.db.updateTable('repositories').set({ is_private: true }).where('id', '=', demo.row.id).execute();
    assert.match((await raw('README.md')).headers.get('cache-control') ?? '', /^private, /);
    await t.context.db.updateTable('repositories').set({ is_private: false }).where('id', '=', demo.row.id).execute();
  });

  it('can only be requested with GET, as in other services', async () => {
    assert.equal((await alice.send('HEAD', `${demo.path}/raw/README.md`)).status, 405);
  });
});

describe('the URL of a page', () => {
  it('names the file, and refuses a token in plain text', async () => {
    for (const kind of ['raw', 'media']) {
      const address = `//alice/demo/${kind}/branch/main/src/main.js`;
      assert.equal((await t.anonymous.get(address)).headers.get('content-disposition'), 'inline; filename=main.js', kind);
      const { status, text } = await (await alice.token(['read:issue'])).get(address);
      assert.deepEqual([status, text], [403, 'Forbidden\n'], kind);
    }
  });
});
