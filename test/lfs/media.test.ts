// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { download, largeFile, pointerOf, upload } from './objects.ts';

const t = await testServer({ lfs: { maxFileSize: 1000 } });
const alice = await t.user('alice');
const stranger = await t.user('stranger');
await alice.must('POST', '/user/repos', { name: 'art', auto_init: true, default_branch: 'main', private: true });
const route = '/repos/alice/art';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const write = (path: string, text: string | Buffer) => alice.post(`${route}/contents/${path}`, { content: base64(text) });

describe('media URLs', () => {
  it('serve what a pointer stands for, raw URLs the pointer', async () => {
    const file = largeFile('0123456789');
    await upload(alice, 'alice/art', file);
    await write('big.bin', pointerOf(file));
    for (const path of [`${route}/media/big.bin`, '//alice/art/media/branch/main/big.bin']) {
      const { status, text, headers } = await alice.get(path);
      assert.deepEqual(
        [status, text, headers.get('content-disposition'), headers.get('etag')],
        [200, '0123456789', 'inline; filename=big.bin', `"${file.oid}"`],
      );
      assert.match(headers.get('cache-control') ?? '', /private/);
      const part = await alice.get(path, { headers: { range: 'bytes=2-4' } });
      assert.deepEqual([part.status, part.text], [206, '234']);
      assert.equal((await alice.get(path, { headers: { 'if-none-match': `"${file.oid}"` } })).status, 304);
      assert.equal((await stranger.get(path)).status, 404);
    }
    assert.equal((await alice.get(`${route}/raw/big.bin`)).text, pointerOf(file));
    const { json } = await alice.get(`${route}/contents/big.bin`);
    assert.deepEqual([json.lfs_oid, json.lfs_size], [file.oid, 10]);
  });

  it('serve the pointer where the repository does not have the object', async () => {
    const file = largeFile('of somebody else');
    await stranger.must('POST', '/user/repos', { name: 'own', private: true });
    await upload(stranger, 'stranger/own', file);
    await write('stolen.bin', pointerOf(file));
    await write('wrong.bin', pointerOf({ ...largeFile('0123456789'), size: 9 }));
    assert.equal((await alice.get(`${route}/media/stolen.bin`)).text, pointerOf(file));
    assert.match((await alice.get(`${route}/media/wrong.bin`)).text, /^version /);
    const page = await alice.get('//alice/art/media/branch/main/stolen.bin');
    assert.deepEqual([page.text, page.headers.get('etag')], [pointerOf(file), null], 'it may be replaced by what it stands for');
  });

  it('of pages serve parts of small files that stand for nothing else, and caches keep them', async () => {
    await write('small.txt', '0123456789');
    const path = '//alice/art/media/branch/main/small.txt';
    const etag = (await alice.get(path)).headers.get('etag') ?? '';
    assert.match(etag, /^"[0-9a-f]{40}"$/);
    assert.equal((await alice.get(path, { headers: { 'if-none-match': etag } })).status, 304);
    const part = await alice.get(path, { headers: { range: 'bytes=2-4' } });
    assert.deepEqual([part.status, part.text], [206, '234']);
  });

  it('serve nothing that a browser runs', async () => {
    const file = largeFile('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await upload(alice, 'alice/art', file);
    await write('picture.svg', pointerOf(file));
    const { headers } = await alice.get(`${route}/media/picture.svg`);
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
    const page = largeFile('<!DOCTYPE html><script>alert(1)</script>');
    await upload(alice, 'alice/art', page);
    await write('page.html', pointerOf(page));
    assert.match((await alice.get(`${route}/media/page.html`)).headers.get('content-type') ?? '', /^text\/plain/);
  });
});

describe('a file written through the API', () => {
  it('is a large file where .gitattributes says so', async () => {
    await write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    await write('art/.gitattributes', 'plain.psd -filter\n*.dat filter=lfs\n');
    const file = largeFile('a picture');
    for (const path of ['a.psd', 'art/b.psd', 'art/c.dat']) {
      const { status, json } = await write(path, file.content);
      assert.deepEqual([status, json.content.lfs_oid, json.content.content], [201, file.oid, base64(pointerOf(file))], path);
    }
    assert.equal((await download(alice, 'alice/art', file.oid)).text, 'a picture');
    assert.equal((await alice.get(`${route}/media/art/c.dat`)).text, 'a picture');
    for (const path of ['a.txt', 'c.dat', 'art/plain.psd']) {
      assert.equal((await write(path, file.content)).json.content.content, base64('a picture'), path);
    }
    // What git would have made a pointer already stays one.
    const { json } = await write('d.psd', pointerOf(file));
    assert.equal(json.content.content, base64(pointerOf(file)));
    const { sha } = (await alice.get(`${route}/contents/a.psd`)).json;
    const updated = await alice.put(`${route}/contents/a.psd`, { content: base64('another'), sha });
    assert.equal(updated.json.content.lfs_oid, largeFile('another').oid);
  });

  it('becomes a large file, or a plain one, when it is moved across a rule', async () => {
    const file = largeFile('moved');
    const move = async (from: string, path: string) => {
      const { sha } = (await alice.get(`${route}/contents/${from}`)).json;
      const { status, json } = await alice.post(`${route}/contents`, { files: [{ operation: 'rename', from_path: from, path, sha }] });
      assert.equal(status, 201, json.message);
      return Buffer.from(json.files[0].content, 'base64').toString();
    };
    assert.equal((await write('m.txt', file.content)).status, 201);
    assert.equal(await move('m.txt', 'm.psd'), pointerOf(file));
    assert.equal((await alice.get(`${route}/media/m.psd`)).text, 'moved');
    assert.equal(await move('m.psd', 'art/m.dat'), pointerOf(file));
    assert.equal(await move('art/m.dat', 'm.dat'), 'moved');
    assert.equal((await alice.get(`${route}/contents/art/m.dat`)).status, 404);
    // A pointer without its object stays what it is.
    const lost = pointerOf(largeFile('never uploaded'));
    assert.equal((await write('n.psd', lost)).status, 201);
    assert.equal(await move('n.psd', 'n.txt'), lost);
  });

  it('follows the .gitattributes of the same commit, and the bound on its size', async () => {
    const files = [
      { operation: 'create', path: 'new/.gitattributes', content: base64('*.bin filter=lfs\n') },
      { operation: 'create', path: 'new/x.bin', content: base64('new') },
    ];
    const { json } = await alice.post(`${route}/contents`, { files });
    assert.equal(json.files[1].lfs_oid, largeFile('new').oid);
    const large = await write('large.psd', 'x'.repeat(1001));
    assert.deepEqual([large.status, large.json.message], [422, 'a large file has at most 1000 bytes']);
    assert.equal((await alice.get(`${route}/contents/large.psd`)).status, 404);
  });
});
