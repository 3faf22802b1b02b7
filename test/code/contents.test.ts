import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ api: { maxBlobSize: 2000, maxResponseSize: 4000, defaultPageSize: 5, treesPageSize: 4 } });
const alice = await t.user('alice');
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
const commits = [
  {
    label: 'one',
    date: '1700000000 +0530',
    files: { 'README.md': '# demo\n', 'src/main.js': '1\n', 'src/deep/x.bin': Buffer.from([0, 255, 254]) },
  },
  {
    label: 'two',
    message: 'two\n\nwhy\n',
    files: {
      'src/main.js': '2\n',
      'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
      link: { mode: '120000', content: '../../etc/passwd' },
      'vendor/lib': { mode: '160000', content: '1'.repeat(40) },
      'vendor/unknown': { mode: '160000', content: '2'.repeat(40) },
      '.gitmodules': '[submodule "l"]\n\tpath = vendor/lib\n\turl = https://example.com/lib.git\n',
      'a b&c#d?e%f+(g).txt': 'odd\n',
      'large.bin': Buffer.alloc(2001, 1),
      'pointer.bin': pointer,
    },
  },
] as const;
const demo = await codeRepository(t, alice, 'demo', commits);
await demo.git(['tag', 'v1/x', demo.id('one')]);
const empty = await codeRepository(t, alice, 'empty', []);
const get = async (path: string) => (await alice.get(`${demo.path}/${path}`)).json;
const base = () => `${t.url}api/v1${demo.path}`;

describe('a file', () => {
  it('has its content and the commit that last changed it', async () => {
    const file = await get('contents/src/main.js');
    assert.deepEqual([file.type, file.name, file.path, file.size], ['file', 'main.js', 'src/main.js', 2]);
    assert.deepEqual([file.encoding, Buffer.from(file.content, 'base64').toString()], ['base64', '2\n']);
    assert.deepEqual([file.last_commit_sha, 'last_commit_message' in file, 'lfs_oid' in file], [demo.id('two'), false, false]);
    assert.equal((await get('contents/README.md')).last_author_date, '2023-11-15T03:43:20+05:30');
  });

  it('contains working URLs of itself', async () => {
    const file = await get('contents/src/main.js?ref=v1/x');
    assert.equal(file.url, `${base()}/contents/src/main.js?ref=v1%2Fx`);
    assert.equal(file.html_url, `${t.url}alice/demo/src/tag/v1/x/src/main.js`);
    assert.deepEqual(file._links, { self: file.url, git: file.git_url, html: file.html_url });
    for (const address of [file.url, file.git_url])
      assert.equal((await alice.get(address.slice(base().length - demo.path.length))).status, 200);
    assert.equal((await alice.get(`/${file.download_url.slice(t.url.length - 1)}`)).text, '1\n');
    const odd = await get(`contents/${encodeURIComponent('a b&c#d?e%f+(g).txt')}`);
    assert.equal(odd.url, `${base()}/contents/a%20b&c%23d%3Fe%25f+%28g%29.txt?ref=main`);
    assert.equal((await alice.get(odd.url.slice(base().length - demo.path.length))).status, 200);
  });

  it('has no content beyond the bound', async () => {
    const large = await get('contents/large.bin');
    assert.deepEqual([large.size, large.content, large.encoding], [2001, null, null]);
    const blob = await get(`git/blobs/${large.sha}`);
    assert.deepEqual([blob.size, blob.content, blob.encoding], [2001, null, null]);
  });

  it('that stands for a large one says so', async () => {
    const file = await get('contents/pointer.bin');
    assert.deepEqual([file.lfs_oid, file.lfs_size], ['a'.repeat(64), 12345]);
    const { file_contents: bare } = await get('contents-ext/pointer.bin?includes=lfs_metadata');
    assert.deepEqual([bare.lfs_size, bare.content, 'last_commit_sha' in bare], [12345, null, false]);
    assert.equal('lfs_oid' in (await get('contents-ext/pointer.bin')).file_contents, false);
    assert.equal((await get(`git/blobs/${file.sha}`)).lfs_size, 12345);
  });
});

describe('other entries', () => {
  it('are links, which are shown and not followed', async () => {
    const link = await get('contents/link');
    assert.deepEqual([link.type, link.target, link.content], ['symlink', '../../etc/passwd', null]);
    assert.equal((await alice.get(`${demo.path}/contents/link/x`)).status, 404);
  });

  it('are submodules, with their URL if it is known', async () => {
    const module = await get('contents/vendor/lib');
    assert.deepEqual(
      [module.type, module.submodule_git_url, module.html_url, module.git_url, module.download_url],
      ['submodule', 'https://example.com/lib.git', null, null, null],
    );
    assert.equal((await get('contents/vendor/unknown')).submodule_git_url, null);
  });

  it('are programs, which are files', async () => assert.equal((await get('contents/run.sh')).type, 'file'));
});

describe('a folder', () => {
  it('is listed with the commit that last changed each entry', async () => {
    const entries = await get('contents/src');
    assert.deepEqual(
      entries.map((entry: Record<string, string>) => [entry.name, entry.type, entry.last_commit_sha, entry.content]),
      [
        ['deep', 'dir', demo.id('one'), null],
        ['main.js', 'file', demo.id('two'), null],
      ],
    );
    assert.equal((await get('contents')).length, 9);
  });

  it('is refused when it is too large for one response', async () => {
    const files = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`many/${i}`, '']));
    const large = await codeRepository(t, alice, 'large', [{ label: 'many', files }]);
    const response = await alice.get(`${large.path}/contents/many`);
    assert.equal(response.status, 422);
    assert.match(response.json.message, /^the folder has more than 20000 entries/);
    const tree = await alice.get(`${large.path}/git/trees/main?recursive=true&per_page=1000000000`);
    assert.deepEqual([tree.json.tree.length, tree.json.total_count, tree.json.truncated], [4, 20_002, true]);
  });
});

describe('paths and refs', () => {
  it('are cleaned within the repository', async () => {
    for (const path of ['src%2F..%2FREADME.md', 'src//.%2F..%2F..%2FREADME.md', '..%2F..%2FREADME.md']) {
      assert.equal((await get(`contents/${path}`)).path, 'README.md', path);
    }
  });

  it('have the error that clients know when they are missing', async () => {
    for (const [path, message, error] of [
      ['missing.txt', 'GetContentsOrList', 'object does not exist [id: , rel_path: missing.txt]'],
      ['src/missing.txt', 'GetContentsOrList', 'object does not exist [id: , rel_path: src/missing.txt]'],
      ['missing/x.txt', 'GetContentsOrList', 'object does not exist [id: , rel_path: missing]'],
      ['README.md?ref=missing', 'not found', 'object does not exist [id: missing, rel_path: ]'],
      ['README.md?ref=refs/heads/main', 'not found', 'object does not exist [id: refs/heads/main, rel_path: ]'],
    ] as const) {
      const { status, json } = await alice.get(`${demo.path}/contents/${path}`);
      assert.deepEqual([status, json.message, json.errors], [404, message, [error]]);
    }
    assert.equal((await alice.get(`${empty.path}/contents`)).json.errors[0], 'object does not exist [id: main, rel_path: ]');
  });

  it('nothing odd reaches git', async () => {
    for (const odd of ['-', '--help', 'a%00b', '.git/config', 'src/.GIT/x', 'main@%7B1%7D', 'a%0Ab', '%EF%BF%BD', ':main', '*']) {
      for (const address of [
        `contents/${odd}`,
        `contents-ext/${odd}`,
        `contents/README.md?ref=${odd}`,
        `raw/${odd}`,
        `git/trees/${odd}`,
        `git/blobs/${odd}`,
        `git/refs/${odd}`,
        `compare/${odd}...main`,
        `archive/${odd}.zip`,
      ]) {
        const { status } = await alice.get(`${demo.path}/${address}`);
        assert.ok(status >= 400 && status < 500, `${address}: ${status}`);
      }
    }
  });
});

describe('contents-ext', () => {
  it('returns the requested fields only', async () => {
    const { file_contents: bare, dir_contents } = await get('contents-ext/src/main.js');
    assert.deepEqual([bare.content, 'last_commit_sha' in bare, dir_contents], [null, false, undefined]);
    const { file_contents: all } = await get('contents-ext/src/main.js?includes=file_content,commit_metadata,commit_message');
    assert.deepEqual([all.content, all.last_commit_sha, all.last_commit_message], ['Mgo=', demo.id('two'), 'two\n\nwhy\n']);
    for (const root of ['contents-ext', 'contents-ext/.', 'contents-ext/%2F']) assert.equal((await get(root)).dir_contents.length, 9, root);
  });

  it('refuses what it does not know', async () => {
    for (const word of ['everything', 'toString']) {
      const { status, json } = await alice.get(`${demo.path}/contents-ext/README.md?includes=${word}`);
      assert.deepEqual([status, json.message], [400, `unknown include option "${word}"`]);
    }
  });
});

describe('several files', () => {
  it('come in the order of the request, null for what does not exist', async () => {
    const { json } = await alice.post(`${demo.path}/file-contents`, { files: ['src/main.js', 'missing', 'src', '.git/x'] });
    assert.deepEqual(
      json.map((file: { path: string } | null) => file?.path ?? null),
      ['src/main.js', null, 'src', null],
    );
    const again = await get(`file-contents?ref=v1/x&body=${encodeURIComponent('{"files":["src/main.js"]}')}`);
    assert.equal(again[0].content, 'MQo=');
  });

  it('end with the page, and where the response would be too large', async () => {
    const files = Array.from({ length: 9 }, () => 'README.md');
    assert.equal((await alice.post(`${demo.path}/file-contents`, { files })).json.length, 5);
    const big = await codeRepository(t, alice, 'big', [{ label: 'x', files: { a: 'x'.repeat(2000) } }]);
    const { json } = await alice.post(`${big.path}/file-contents`, { files: ['a', 'a', 'a'] });
    assert.equal(json.length, 1, 'two would be more than may be answered');
  });

  it('are refused when the question makes no sense', async () => {
    assert.equal((await alice.post(`${demo.path}/file-contents`, {})).json.message, '[Files]: Required');
    for (const body of ['nonsense', '[]', 'null', '{"files":"x"}', '{"files":[1]}']) {
      const { status, json } = await alice.get(`${demo.path}/file-contents?body=${encodeURIComponent(body)}`);
      assert.deepEqual([status, json.message], [400, 'invalid body parameter']);
    }
  });
});

describe('a repository with SHA-256 ids', () => {
  it('is read alike', async () => {
    const { git, id, path } = await codeRepository(t, alice, 'sha256', [commits[0]], { object_format_name: 'sha256' });
    const { json } = await alice.get(`${path}/contents/src/main.js?ref=${id('one')}`);
    assert.deepEqual([json.sha.length, json.last_commit_sha, json.content], [64, id('one'), 'MQo=']);
    assert.equal((await alice.get(`${path}/git/trees/main?recursive=1`)).json.total_count, 5);
    assert.equal((await alice.get(`${path}/commits`)).json[0].sha, id('one'));
    await git(['tag', '-a', '-m', 'v', 'v1', 'main']);
    assert.equal((await alice.get(`${path}/tags/v1`)).json.commit.sha, id('one'));
    assert.equal((await alice.get(`${path}/archive/main.bundle`)).text.split('\n')[0], '# v3 git bundle');
  });
});
