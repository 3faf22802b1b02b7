import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const empty = await codeRepository(t, alice, 'empty', []);
const demo = await codeRepository(t, alice, 'demo', [
  {
    label: 'one',
    files: { 'README.md': 'x\n', 'src/a.txt': 'a\n', 'src/b/c.txt': 'c\n', sub: { mode: '160000', content: '1'.repeat(40) } },
  },
]);
await demo.git(['branch', 'topic/a']);
await demo.git(['branch', 'top']);
await demo.git(['tag', '-a', '-m', 'v', 'v1', 'main']);
await demo.git(['update-ref', 'refs/remotes/origin/x', 'main']);
await demo.git(['update-ref', 'refs/custom/ü', 'main']);
const names = async (prefix: string) => {
  const { json } = await alice.get(`${demo.path}/git/refs${prefix}`);
  return json.map(({ ref }: { ref: string }) => ref).join();
};

describe('refs', () => {
  it('are listed by the beginning of their names, without those of other repositories', async () => {
    assert.equal(await names(''), 'refs/custom/ü,refs/heads/main,refs/heads/top,refs/heads/topic/a,refs/tags/v1');
    assert.equal(await names('/heads/top'), 'refs/heads/top,refs/heads/topic/a');
    assert.equal(await names('/heads/topic/a'), 'refs/heads/topic/a');
  });

  it('have the object that they point to', async () => {
    const [{ object, url }] = (await alice.get(`${demo.path}/git/refs/tags/v1`)).json;
    const id = await demo.git(['rev-parse', 'v1']);
    assert.deepEqual([object.type, object.sha, object.url], ['tag', id, `${t.url}api/v1${demo.path}/git/tags/${id}`]);
    assert.equal(url, `${t.url}api/v1${demo.path}/git/refs/tags/v1`);
    assert.match((await alice.get(`${demo.path}/git/refs/custom`)).json[0].url, /refs\/custom\/%C3%BC$/);
  });

  it('are not found where there are none', async () => {
    assert.equal((await alice.get(`${empty.path}/git/refs`)).status, 404);
    assert.equal((await alice.get(`${demo.path}/git/refs/heads/missing`)).status, 404);
    assert.equal((await alice.get(`${demo.path}/git/refs/remotes`)).status, 404);
  });
});

describe('trees', () => {
  const paths = async (query: string) => {
    const { json } = await alice.get(`${demo.path}/git/trees/${query}`);
    return [
      json.tree?.map(({ path, type, size }: { path: string; type: string; size: number }) => `${type} ${path} ${size}`).join(),
      json.truncated,
    ];
  };

  it('are listed by what names them', async () => {
    const tree = await demo.git(['rev-parse', 'main^{tree}']);
    for (const name of [
      'main',
      'v1',
      'topic%2Fa',
      'HEAD',
      demo.id('one'),
      demo.id('one').slice(0, 6),
      demo.id('one').toUpperCase(),
      tree,
      tree.slice(0, 8),
      'main:',
    ]) {
      assert.deepEqual(await paths(name), ['blob README.md 2,tree src 0,commit sub 0', false], name);
    }
    assert.deepEqual(await paths('main:src%2Fb'), ['blob c.txt 2', false]);
    const { json } = await alice.get(`${demo.path}/git/trees/v1`);
    assert.equal(json.sha, await demo.git(['rev-parse', 'v1']), 'it goes by the id that was found');
    assert.equal(json.tree[2].url, '');
  });

  it('come in pages, also with what is below', async () => {
    const all = 'blob README.md 2,tree src 0,blob src/a.txt 2,tree src/b 0,blob src/b/c.txt 2,commit sub 0';
    assert.deepEqual(await paths('main?recursive=1'), [all, false]);
    assert.deepEqual(await paths('main?recursive=true&per_page=4'), [all.split(',').slice(0, 4).join(), true]);
    assert.deepEqual(await paths('main?recursive=true&per_page=4&page=2'), [all.split(',').slice(4).join(), false]);
    assert.deepEqual(await paths('main?page=999999999'), [undefined, false]);
    assert.deepEqual(await paths('main?page=-1&per_page=-1'), await paths('main'));
  });

  it('name the repository as it is called now', async () => {
    await alice.get(`${demo.path}/git/trees/main`);
    const { db } = t.context;
    await db.updateTable('repositories').set({ name: 'renamed', lower_name: 'renamed' }).where('id', '=', demo.row.id).execute();
    const { json } = await alice.get('/repos/alice/renamed/git/trees/main');
    await db.updateTable('repositories').set({ name: 'demo', lower_name: 'demo' }).where('id', '=', demo.row.id).execute();
    assert.ok(json.url.includes('/alice/renamed/') && json.tree[0].url.includes('/alice/renamed/'));
  });

  it('are refused where there is none', async () => {
    const blob = await demo.git(['rev-parse', 'main:README.md']);
    for (const name of ['missing', '0'.repeat(40), blob, '-h', 'main:README.md', 'main:..', 'missing:src', ':src']) {
      const { status, json } = await alice.get(`${demo.path}/git/trees/${name}`);
      assert.deepEqual([status, json.message], [400, `sha not found [${name}]`]);
    }
  });
});

describe('blobs', () => {
  it('have their content', async () => {
    const oid = await demo.git(['rev-parse', 'main:README.md']);
    const { json } = await alice.get(`${demo.path}/git/blobs/${oid}`);
    assert.deepEqual(json, { content: 'eAo=', encoding: 'base64', url: `${t.url}api/v1${demo.path}/git/blobs/${oid}`, sha: oid, size: 2 });
  });

  it('are objects of any type', async () => {
    const commit = demo.id('one');
    const { json } = await alice.get(`${demo.path}/git/blobs/${commit}`);
    assert.equal(json.sha, commit);
    assert.match(Buffer.from(json.content, 'base64').toString(), /^tree [0-9a-f]{40}\n/);
  });

  it('are refused where the id is of nothing', async () => {
    for (const [id, message] of [
      ['0'.repeat(40), `object does not exist [id: ${'0'.repeat(40)}, rel_path: ]`],
      ['main', 'length 4 has no matched object format: main'],
      [`${'0'.repeat(39)}g`, "encoding/hex: invalid byte: U+0067 'g'"],
    ]) {
      const response = await alice.get(`${demo.path}/git/blobs/${id}`);
      assert.deepEqual([response.status, response.json.message], [400, message]);
    }
  });
});

describe('a private repository', () => {
  it('is hidden from others, and from tokens for what is public', async () => {
    const secret = await codeRepository(
      t,
      alice,
      'secret',
      [{ label: 'x', files: { 'a.txt': 'secret\n', '.editorconfig': '[*]\nindent_size=2\n' } }],
      { private: true },
    );
    const bob = await t.user('bob');
    const publicOnly = await alice.token(['read:repository', 'public-only']);
    const other = await alice.token(['read:issue']);
    const reader = await alice.token(['read:repository']);
    const blob = await secret.git(['rev-parse', 'main:a.txt']);
    const routes = [
      'branches',
      'branches/main',
      'tags',
      'commits',
      'git/commits/main',
      'git/commits/main.diff',
      'git/refs',
      'git/trees/main',
      `git/blobs/${blob}`,
      'contents',
      'contents/a.txt',
      'contents-ext/a.txt',
      'file-contents?body=%7B%22files%22%3A%5B%22a.txt%22%5D%7D',
      'raw/a.txt',
      'media/a.txt',
      'archive/main.zip',
      'tarball/main',
      'compare/main...main',
      'editorconfig/a.txt',
    ];
    for (const route of [
      ...routes.map((one) => `${secret.path}/${one}`),
      '//alice/secret/raw/branch/main/a.txt',
      '//alice/secret/media/branch/main/a.txt',
      '//alice/secret/archive/main.zip',
    ]) {
      const statuses = [];
      for (const client of [t.anonymous, bob, publicOnly, other, reader, alice]) statuses.push((await client.get(route)).status);
      assert.deepEqual(statuses, [404, 404, 403, 403, 200, 200], route);
    }
  });
});
