// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const MAX_SIZE = 64 * 1024;
const t = await testServer({ attachments: { maxSize: MAX_SIZE } });
const alice = await t.user('alice');
const author = await t.user('author');
const stranger = await t.user('stranger');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'other' });
const demo = '/repos/alice/demo';
await author.must('POST', `${demo}/issues`, { title: 'One', body: 'See the file' });
await author.must('POST', `${demo}/issues`, { title: 'Two' });
const at = `${demo}/issues/1/assets`;

function send(client: Client, path: string, name: string, content: string | Uint8Array<ArrayBuffer> = 'text') {
  const form = new FormData();
  form.append('attachment', new Blob([content]), name);
  return client.send('POST', path, { form });
}

/** The files in the storage, temporary ones among them. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(t.folder, 'data', 'storage'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const pathOf = ({ uuid }: { uuid: string }) => `//attachments/${uuid}`;

describe('files of issues', () => {
  it('are attached, served, counted, renamed and deleted', async () => {
    const made = await send(author, at, 'crash.log', 'line one\n');
    assert.equal(made.status, 201);
    assert.deepEqual([made.json.name, made.json.size, made.json.download_count], ['crash.log', 9, 0]);
    assert.equal(made.json.browser_download_url, `${t.url}attachments/${made.json.uuid}`);
    const served = await t.anonymous.get(pathOf(made.json));
    assert.deepEqual([served.status, served.text], [200, 'line one\n']);
    assert.equal(served.headers.get('content-disposition'), 'inline; filename=crash.log');
    const known = await t.anonymous.get(pathOf(made.json), { headers: { 'if-none-match': `"${made.json.uuid}"` } });
    assert.equal(known.status, 304);
    const part = await t.anonymous.get(`//alice/demo/attachments/${made.json.uuid}`, { headers: { range: 'bytes=5-7' } });
    assert.deepEqual([part.status, part.text], [206, 'one']);
    assert.equal((await alice.must('GET', `${at}/${made.json.id}`)).download_count, 1);
    assert.equal((await author.must('PATCH', `${at}/${made.json.id}`, { name: 'renamed.log' })).name, 'renamed.log');
    const { assets, content_version: version } = await alice.must('GET', `${demo}/issues/1`);
    assert.deepEqual([assets[0].name, version], ['renamed.log', 1]);
    assert.equal((await author.delete(`${at}/${made.json.id}`)).status, 204);
    assert.equal((await t.anonymous.get(pathOf(made.json))).status, 404);
    await t.settled();
    assert.deepEqual(await storedFiles(), []);
  });

  it('are changed by the author and writers alone', async () => {
    const { json } = await send(alice, at, 'a.txt');
    for (const response of [
      await send(stranger, at, 'b.txt'),
      await stranger.patch(`${at}/${json.id}`, { name: 'b.txt' }),
      await stranger.delete(`${at}/${json.id}`),
    ]) {
      assert.deepEqual([response.status, response.json.message], [403, 'user should have permission to write issue']);
    }
    assert.equal((await send(t.anonymous, at, 'b.txt')).status, 401);
    assert.deepEqual(
      (await alice.must('GET', at)).map(({ name }: { name: string }) => name),
      ['a.txt'],
    );
    await alice.must('PATCH', demo, { archived: true });
    assert.equal((await send(alice, at, 'b.txt')).status, 423);
    await alice.must('PATCH', demo, { archived: false });
  });

  it('of comments are changed by the comment’s own rule through the issue, too', async () => {
    const writer = await t.user('writer');
    await alice.must('PUT', `${demo}/collaborators/writer`, { permission: 'write' });
    const comment = await alice.must('POST', `${demo}/issues/2/comments`, { body: 'See the file' });
    const { json } = await send(alice, `${demo}/issues/comments/${comment.id}/assets`, 'hers.txt');
    for (const path of [`${demo}/issues/2/assets`, `${demo}/issues/comments/${comment.id}/assets`]) {
      for (const client of [author, writer]) {
        assert.equal((await client.patch(`${path}/${json.id}`, { name: 'mine.txt' })).status, 403, path);
        assert.equal((await client.delete(`${path}/${json.id}`)).status, 403, path);
      }
    }
    assert.equal((await writer.get(pathOf(json))).status, 200);
    assert.equal((await alice.delete(`${demo}/issues/2/assets/${json.id}`)).status, 204);
  });

  it('belong to the issue and the repository in the path', async () => {
    const { json } = await send(alice, at, 'own.txt');
    await alice.must('POST', '/repos/alice/other/issues', { title: 'Elsewhere' });
    for (const path of [`${demo}/issues/2/assets/${json.id}`, `/repos/alice/other/issues/1/assets/${json.id}`]) {
      assert.equal((await alice.get(path)).status, 404);
      assert.equal((await alice.patch(path, { name: 'x.txt' })).status, 404);
      assert.equal((await alice.delete(path)).status, 404);
    }
    assert.equal((await alice.get(`//alice/other/attachments/${json.uuid}`)).status, 404);
    assert.equal((await alice.get(`${at}/${json.id}`)).json.name, 'own.txt');
  });

  it('of types that are not allowed are refused and not stored', async () => {
    const before = await storedFiles();
    for (const name of ['setup.exe', 'page.html', 'noextension', '.txt.sh']) assert.equal((await send(alice, at, name)).status, 422);
    assert.equal((await send(alice, `${at}?name=evil.sh`, 'fine.txt')).status, 422);
    const { json } = await send(alice, at, 'fine.txt');
    assert.equal((await alice.patch(`${at}/${json.id}`, { name: 'fine.exe' })).status, 422);
    assert.equal((await alice.post(at, { attachment: 'none' })).status, 422);
    assert.equal((await alice.send('POST', at, { form: new FormData() })).status, 422);
    assert.equal((await storedFiles()).length, before.length + 1);
  });

  it('have a largest size', async () => {
    const before = await storedFiles();
    assert.equal((await send(alice, at, 'full.txt', 'x'.repeat(MAX_SIZE))).json.size, MAX_SIZE);
    const refused = await send(alice, at, 'large.txt', 'x'.repeat(MAX_SIZE + 1));
    assert.equal(refused.status, 413);
    assert.equal((await storedFiles()).length, before.length + 1);
  });

  it('that never arrive whole leave nothing', async () => {
    const before = await storedFiles();
    const boundary = 'xxxx';
    const authorization = `Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': '50000' };
    await new Promise<void>((resolve) => {
      const sent = request(new URL(`/api/v1${at}`, t.url), { method: 'POST', headers });
      sent.on('error', () => resolve());
      sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="attachment"; filename="half.txt"\r\n\r\n${'x'.repeat(20_000)}`);
      void eventually(async () => (await storedFiles()).length > before.length).finally(() => sent.destroy(new Error('gone')));
    });
    await eventually(async () => (await storedFiles()).length === before.length, 'the end of the rest');
    assert.deepEqual((await storedFiles()).sort(), before.sort());
    assert.ok(!(await alice.must('GET', at)).some(({ name }: { name: string }) => name === 'half.txt'));
  });

  it('in forms that end too early are refused, and nothing more happens', async () => {
    const before = await storedFiles();
    const part = (name: string, more: string) => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nx`;
    const file = '; filename="cut.txt"';
    const cut = [
      part('attachment', file),
      part('other', file),
      part('attachment', ''),
      `${part('attachment', file)}\r\n${part('z', file)}`,
    ];
    for (const raw of [...cut, '--b\r\nContent-Dis', '']) {
      for (const path of [at, `${demo}/labels`]) {
        const { status } = await alice.send('POST', path, { raw, type: 'multipart/form-data; boundary=b' });
        assert.equal(status, 422, `${path} ${raw}`);
      }
    }
    assert.deepEqual((await storedFiles()).sort(), before.sort());
  });

  it('run in no browser and end no header', async () => {
    const svg = await send(alice, at, 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const picture = await t.anonymous.get(pathOf(svg.json));
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
    assert.match(picture.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    const html = await send(alice, at, 'page.txt', '<html><script>alert(1)</script></html>');
    assert.match((await t.anonymous.get(pathOf(html.json))).headers.get('content-type') ?? '', /^text\/plain/);
    const { json } = await send(alice, `${at}?name=${encodeURIComponent('a"\r\nSet-Cookie: x=1;é.txt')}`, 'x.txt');
    const named = await t.anonymous.get(pathOf(json));
    assert.equal(named.headers.get('set-cookie'), null);
    assert.equal(named.headers.get('x-content-type-options'), 'nosniff');
    assert.match(named.headers.get('content-disposition') ?? '', /^inline; filename="[^"\\]*\\".*"; filename\*=utf-8''/);
  });

  it('are hidden with their repository, from all but who may read it', async () => {
    const { json } = await send(alice, at, 'private.txt');
    const noIssues = await stranger.token(['read:user']);
    assert.equal((await noIssues.get(pathOf(json))).status, 403);
    await alice.must('PATCH', demo, { private: true });
    assert.equal((await alice.get(pathOf(json))).status, 200);
    for (const client of [stranger, t.anonymous, await alice.token(['public-only', 'all'])]) {
      const response = await client.get(pathOf(json));
      assert.deepEqual([response.status, response.text], [404, 'Not Found\n']);
    }
    await alice.must('PATCH', demo, { private: false });
  });
});

describe('files of comments', () => {
  it('are for the author of the comment, if that may write, and administrators', async () => {
    const { id } = await author.must('POST', `${demo}/issues/1/comments`, { body: 'Mine' });
    const files = `${demo}/issues/comments/${id}/assets`;
    assert.equal((await send(author, files, 'x.txt')).status, 403);
    const { json } = await send(alice, files, 'x.txt');
    assert.equal(json.name, 'x.txt');
    const [{ assets }] = await alice.must('GET', `${demo}/issues/1/comments`);
    assert.equal(assets.length, 1);
    assert.equal((await alice.get(`/repos/alice/other/issues/comments/${id}/assets`)).status, 404);
    const other = await author.must('POST', `${demo}/issues/1/comments`, { body: 'Another' });
    assert.equal((await alice.get(`${demo}/issues/comments/${other.id}/assets/${json.id}`)).status, 404);
    assert.equal((await alice.delete(`${demo}/issues/comments/${other.id}/assets/${json.id}`)).status, 404);
    await alice.must('DELETE', `${demo}/issues/comments/${id}`);
    await t.settled();
    assert.equal((await alice.get(pathOf(json))).status, 404);
    assert.ok(!(await storedFiles()).includes(json.uuid));
  });

  it('and of issues go from the storage with the issue and with the repository', async () => {
    await alice.must('POST', '/user/repos', { name: 'short' });
    const uuids: string[] = [];
    for (const number of [1, 2]) {
      await alice.must('POST', '/repos/alice/short/issues', { title: 'x' });
      uuids.push((await send(alice, `/repos/alice/short/issues/${number}/assets`, 'x.txt')).json.uuid);
    }
    await alice.must('DELETE', '/repos/alice/short/issues/1');
    await t.settled();
    const left = await storedFiles();
    assert.deepEqual(
      uuids.map((uuid) => left.includes(uuid)),
      [false, true],
    );
    await alice.must('DELETE', '/repos/alice/short');
    await t.settled();
    assert.ok(!(await storedFiles()).includes(uuids[1] ?? ''));
  });
});
