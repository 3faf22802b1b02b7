// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { now } from '../../src/clock.ts';
import { CACHE_SECONDS, expireArchives } from '../../src/code/archives/expire.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const t = await testServer();
const alice = await t.user('alice');
const empty = await codeRepository(t, alice, 'empty', []);
const demo = await codeRepository(t, alice, 'Demo', [
  {
    label: 'one',
    files: {
      'README.md': '# demo\n',
      'src/a.txt': 'a\n',
      'src/b/c.txt': 'c\n',
      'secret.txt': 'x',
      '.gitattributes': 'secret.txt export-ignore\n',
    },
  },
]);
await demo.git(['branch', 'topic/one']);
await demo.git(['tag', '-a', '-m', 'v', 'v1.0', 'main']);
const get = (path: string, headers: Record<string, string> = {}) => alice.get(`${demo.path}/${path}`, { headers });

/** The paths in a tar.gz; see https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html */
function entries(bytes: Buffer): string[] {
  const data = gunzipSync(bytes);
  const found: string[] = [];
  for (let at = 0; data[at]; ) {
    const field = (from: number, length: number) => data.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    if (!['g', 'x'].includes(field(156, 1))) found.push(field(0, 100));
    at += 512 + Math.ceil(Number.parseInt(field(124, 12), 8) / 512) * 512;
  }
  return found;
}

describe('an archive', () => {
  it('holds the files of a revision in a folder of the repository’s name', async () => {
    for (const name of ['main', 'v1.0', 'topic/one', demo.id('one'), demo.id('one').slice(0, 8)]) {
      const response = await get(`archive/${name}.tar.gz`);
      assert.equal(response.headers.get('content-disposition'), `attachment; filename=Demo-${name.replace('/', '-')}.tar.gz`);
      assert.deepEqual(entries(response.bytes), [
        'demo/',
        'demo/.gitattributes',
        'demo/README.md',
        'demo/src/',
        'demo/src/a.txt',
        'demo/src/b/',
        'demo/src/b/c.txt',
      ]);
    }
  });

  it('is served at the URLs of other services', async () => {
    const { bytes } = await get('archive/main.tar.gz');
    assert.ok((await get('tarball/main')).bytes.equals(bytes));
    assert.equal((await get('zipball/main')).text.slice(0, 2), 'PK');
    assert.ok((await get('bundle/main')).text.startsWith('# v2 git bundle\n'));
    assert.ok((await t.anonymous.get('//alice/Demo/archive/main.tar.gz')).bytes.equals(bytes));
  });

  it('needs no preparation', async () => {
    const { status, json } = await t.anonymous.post('//alice/demo/archive/main.zip');
    assert.deepEqual([status, json], [200, { complete: true }]);
    const empty = await alice.must('POST', '/user/repos', { name: 'void', private: true });
    assert.equal((await alice.post(`//${empty.full_name}/archive/main.zip`)).status, 404);
    assert.equal((await t.anonymous.post(`//${empty.full_name}/archive/main.zip`)).status, 404);
  });

  it('can be limited to some files and folders', async () => {
    const { bytes } = await get('archive/main.tar.gz?path=src/b&path=README.md');
    assert.deepEqual(entries(bytes), ['demo/', 'demo/README.md', 'demo/src/', 'demo/src/b/', 'demo/src/b/c.txt']);
    assert.equal(entries((await get('archive/main.tar.gz?path=.')).bytes).length, 7);
    for (const path of ['missing', '.git', '*', '--output=/tmp/x', ':(glob)**']) {
      const response = await get(`archive/main.zip?path=${encodeURIComponent(path)}`);
      assert.deepEqual([response.status, response.json.message], [400, "path doesn't exist or is invalid"], path);
    }
    const missing = await get('archive/main.zip?path=missing');
    assert.equal(missing.headers.get('content-disposition'), 'attachment; filename=Demo-main.zip');
    const many = Array.from({ length: 101 }, () => 'path=src').join('&');
    assert.equal((await get(`archive/main.zip?${many}`)).status, 400);
  });

  it('is refused for what it cannot be made of', async () => {
    for (const [name, status, message] of [
      ['main.rar', 400, 'unknown format: main.rar'],
      ['main', 400, 'unknown format: main'],
      ['.zip', 404, 'unrecognized repository reference: '],
      ['missing.zip', 404, 'unrecognized repository reference: missing'],
      ['--output=x.zip', 404, 'unrecognized repository reference: --output=x'],
      ['main.bundle?path=src', 400, 'cannot specify paths when requesting a bundle'],
    ] as const) {
      const response = await get(`archive/${name}`);
      assert.deepEqual([response.status, response.json.message], [status, message]);
    }
    assert.equal((await alice.get(`${empty.path}/archive/main.zip`)).status, 404);
  });
});

describe('asking again', () => {
  it('gives the same bytes, in parts as well', async () => {
    const first = await get('archive/main.zip');
    const again = await get('archive/topic/one.zip');
    assert.ok(first.bytes.equals(again.bytes));
    const etag = first.headers.get('etag') ?? '';
    assert.equal((await get('archive/main.zip', { 'if-none-match': etag })).status, 304);
    const part = await get('archive/main.zip', { range: 'bytes=2-5', 'if-range': etag });
    assert.deepEqual([part.status, part.bytes], [206, first.bytes.subarray(2, 6)]);
    assert.equal((await get('archive/main.zip', { range: 'bytes=2-5', 'if-range': '"other"' })).status, 200);
    const head = await alice.send('HEAD', `${demo.path}/archive/main.zip`);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(first.bytes.length)]);
  });

  it('makes one archive for all who ask at the same time', async () => {
    const { path, id } = await codeRepository(t, alice, 'busy', [{ label: 'x', files: { a: 'x' } }]);
    const responses = await Promise.all(Array.from({ length: 12 }, () => alice.get(`${path}/archive/${id('x')}.zip`)));
    assert.deepEqual(new Set(responses.map(({ status, bytes }) => `${status} ${bytes.length}`)).size, 1);
    const rows = await t.context.db
      .selectFrom('archives')
      .select('key')
      .where('key', 'like', `%${id('x')}%`)
      .execute();
    assert.equal(rows.length, 1);
  });

  it('after a rename gives the new name', async () => {
    await get('archive/main.tar.gz');
    const set = (name: string) =>
      t.context.db.updateTable('repositories').set({ name, lower_name: name.toLowerCase() }).where('id', '=', demo.row.id).execute();
    await set('Other');
    const response = await alice.get('/repos/alice/other/archive/main.tar.gz');
    await set('Demo');
    assert.equal(entries(response.bytes)[0], 'other/');
    assert.match(
      response.headers.get('link') ?? '',
      /\/repos\/alice\/Other\/archive\/[0-9a-f]{40}\.tar\.gz\?rev=[0-9a-f]{40}>; rel="immutable"$/,
    );
  });

  it('expires archives that nobody requests', async () => {
    const { context } = t;
    await get('archive/main.zip');
    const rows = () => context.db.selectFrom('archives').selectAll().execute();
    const before = await rows();
    assert.ok(before.length > 1);
    const [first] = before;
    assert.ok(first && (await context.storage.info(first.blob)));
    await expireArchives({}, context);
    assert.equal((await rows()).length, before.length, 'they are still new');
    await context.db
      .updateTable('archives')
      .set({ used_at: now() - CACHE_SECONDS })
      .where('id', '=', first.id)
      .execute();
    await context.db
      .updateTable('archives')
      .set({ repository_id: 999_999 })
      .where('id', '=', before[1]?.id ?? 0)
      .execute();
    await expireArchives({}, context);
    assert.equal((await rows()).length, before.length - 2);
    assert.equal(await context.storage.info(first.blob), undefined);
    assert.equal((await get('archive/main.zip')).status, 200, 'it is made again');
  });
});
