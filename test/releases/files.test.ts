// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const MAX_SIZE = 64 * 1024;
const t = await testServer({ releases: { maxSize: MAX_SIZE, allowedTypes: ['.txt', '.zip', '.tar'] } });
const alice = await t.user('alice');
const reader = await t.user('reader');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
await alice.must('POST', '/user/repos', { name: 'other', auto_init: true });
const demo = '/repos/alice/demo/releases';
const { id } = await alice.must('POST', demo, { tag_name: 'group/v1' });
const draft = await alice.must('POST', demo, { tag_name: 'v2', draft: true });
const at = `${demo}/${id}/assets`;

function send(client: Client, path: string, name: string, content = 'text') {
  const form = new FormData();
  form.append('attachment', new Blob([content]), name);
  return client.send('POST', path, { form });
}
const sendRaw = (client: Client, path: string, raw: string | Uint8Array) =>
  client.send('POST', path, { raw, type: 'application/octet-stream' });

/** The files in the storage, temporary ones among them. */
async function storedFiles(): Promise<number> {
  const entries = await readdir(join(t.folder, 'data', 'storage'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('files of releases', () => {
  it('are sent in a form or as they are, served by name, counted and deleted', async () => {
    const { json: form } = await send(alice, at, 'a.txt', 'in a form');
    const { json: raw } = await sendRaw(alice, `${at}?name=b%20b.txt`, 'as it is');
    assert.deepEqual([form.size, raw.size, raw.name], [9, 8, 'b b.txt']);
    const { assets } = await t.anonymous.must('GET', `${demo}/${id}`);
    const [url = '', second = ''] = assets.map(({ browser_download_url }: { browser_download_url: string }) =>
      browser_download_url.replace(t.url, '//'),
    );
    assert.deepEqual(
      [url, second],
      ['//alice/demo/releases/download/group%2Fv1/a.txt', '//alice/demo/releases/download/group%2Fv1/b%20b.txt'],
    );
    const served = await t.anonymous.get(second);
    assert.deepEqual([served.status, served.text, served.headers.get('content-type')], [200, 'as it is', 'text/plain; charset=utf-8']);
    assert.equal((await t.anonymous.get(url, { headers: { range: 'bytes=3-' } })).text, 'a form');
    assert.equal((await t.anonymous.send('HEAD', second)).status, 200);
    assert.equal((await t.anonymous.must('GET', `${at}/${raw.id}`)).download_count, 1);
    assert.equal((await t.anonymous.get(`//alice/demo/releases/download/latest/a.txt`)).text, 'in a form');
    const latest = await t.anonymous.get('//alice/demo/releases/latest');
    assert.deepEqual([latest.status, latest.headers.get('location')], [303, '/alice/demo/releases/tag/group/v1']);
    const renamed = await alice.must('PATCH', `${at}/${raw.id}`, { name: 'a.txt' });
    assert.equal(renamed.name, 'a.txt');
    // Two of one name have addresses of their own.
    const listed = await alice.must('GET', at);
    assert.equal(listed[1].browser_download_url, `${t.url}attachments/${raw.uuid}`);
    assert.equal((await alice.delete(`${at}/${raw.id}`)).status, 204);
    assert.equal((await t.anonymous.get(`//attachments/${raw.uuid}`)).status, 404);
    assert.equal((await alice.delete(`${at}/${form.id}`)).status, 204);
    await t.settled();
    assert.equal(await storedFiles(), 0);
  });

  it('are changed by those alone who write releases', async () => {
    const { json } = await send(alice, at, 'own.txt');
    for (const [client, status] of [
      [reader, 403],
      [t.anonymous, 401],
      [await alice.token(['read:repository']), 403],
    ] as const) {
      assert.equal((await send(client, at, 'x.txt')).status, status);
      assert.equal((await client.patch(`${at}/${json.id}`, { name: 'x.txt' })).status, status);
      assert.equal((await client.delete(`${at}/${json.id}`)).status, status);
    }
    assert.equal((await alice.must('GET', `${at}/${json.id}`)).name, 'own.txt');
  });

  it('belong to the release and the repository in the path', async () => {
    const [file] = await alice.must('GET', at);
    const other = await alice.must('POST', '/repos/alice/other/releases', { tag_name: 'v1' });
    for (const path of [
      `${demo}/${draft.id}/assets/${file.id}`,
      `/repos/alice/other/releases/${other.id}/assets/${file.id}`,
      `/repos/alice/other/releases/${id}/assets/${file.id}`,
    ]) {
      assert.equal((await alice.get(path)).status, 404);
      assert.equal((await alice.patch(path, { name: 'x.txt' })).status, 404);
      assert.equal((await alice.delete(path)).status, 404);
    }
    assert.equal((await send(alice, `/repos/alice/other/releases/${id}/assets`, 'x.txt')).status, 404);
    assert.equal((await alice.get(`//alice/other/attachments/${file.uuid}`)).status, 404);
    assert.equal((await alice.get(`//alice/other/releases/download/group%2Fv1/own.txt`)).status, 404);
  });

  it('of drafts are seen by writers alone, by whatever address', async () => {
    const { json } = await send(alice, `${demo}/${draft.id}/assets`, 'secret.txt', 'secret');
    const narrow = await alice.token(['read:repository']);
    for (const path of [
      `//attachments/${json.uuid}`,
      `//alice/demo/attachments/${json.uuid}`,
      '//alice/demo/releases/download/v2/secret.txt',
    ]) {
      for (const client of [reader, t.anonymous, narrow]) assert.equal((await client.get(path)).status, 404, path);
      assert.equal((await alice.get(path)).text, 'secret');
    }
    assert.equal((await reader.get(`${demo}/${draft.id}/assets/${json.id}`)).status, 404);
  });

  it('of private repositories need access and the scope of a token', async () => {
    const [file] = await alice.must('GET', at);
    await alice.must('PATCH', '/repos/alice/demo', { private: true });
    for (const path of [`//attachments/${file.uuid}`, '//alice/demo/releases/download/group%2Fv1/own.txt']) {
      for (const client of [reader, t.anonymous]) {
        const answer = await client.get(path);
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'text/plain; charset=utf-8']);
      }
      assert.equal((await (await alice.token(['read:issue'])).get(path)).status, 403);
      assert.notEqual((await (await alice.token(['public-only', 'read:repository'])).get(path)).status, 200);
      assert.equal((await (await alice.token(['read:repository'])).get(path)).status, 200);
    }
    await alice.must('PATCH', '/repos/alice/demo', { private: false });
  });

  it('have the name of the query, else that of a field wherever it stands in the form, else their own', async () => {
    const named = async (query: string, before: string | undefined, after?: string) => {
      const form = new FormData();
      if (before !== undefined) form.append('name', before);
      form.append('attachment', new Blob(['text']), 'own.exe');
      if (after !== undefined) form.append('name', after);
      const { status, json } = await alice.send('POST', at + query, { form });
      if (status === 201) await alice.must('DELETE', `${at}/${json.id}`);
      return status === 201 ? json.name : status;
    };
    const stored = await storedFiles();
    assert.deepEqual(
      [
        await named('?name=q.txt', 'f.txt'),
        await named('', 'f.txt'),
        await named('', undefined, 'f.txt'),
        await named('?name=', 'f.txt'),
        await named('', ''),
        await named('', undefined, 'f.exe'),
      ],
      ['q.txt', 'f.txt', 'f.txt', 400, 400, 400],
    );
    await t.settled();
    assert.equal(await storedFiles(), stored);
  });

  it('without a name, of a forbidden type or too large are refused and not stored', async () => {
    const before = await storedFiles();
    const nameless = await sendRaw(alice, at, 'x');
    assert.deepEqual([nameless.status, nameless.json.message], [400, 'Could not determine name of attachment.']);
    assert.equal((await send(alice, at, 'setup.exe')).status, 400);
    assert.equal((await sendRaw(alice, `${at}?name=setup.exe`, 'x')).status, 400);
    assert.equal((await alice.send('POST', at, { form: new FormData() })).status, 422);
    const [file] = await alice.must('GET', at);
    assert.equal((await alice.patch(`${at}/${file.id}`, { name: 'setup.exe' })).status, 422);
    for (const sent of [
      await send(alice, at, 'l.txt', 'x'.repeat(MAX_SIZE + 1)),
      await sendRaw(alice, `${at}?name=l.txt`, 'x'.repeat(MAX_SIZE + 1)),
    ]) {
      assert.equal(sent.status, 413);
    }
    assert.equal(await storedFiles(), before);
    assert.equal((await sendRaw(alice, `${at}?name=full.txt`, 'x'.repeat(MAX_SIZE))).json.size, MAX_SIZE);
  });

  it('that never arrive whole, or say no length and are too large, leave nothing', async () => {
    const before = await storedFiles();
    const authorization = `Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString('base64')}`;
    const open = (headers: Record<string, string>) => {
      const sent = request(new URL(`/api/v1${at}?name=half.txt`, t.url), { method: 'POST', headers: { authorization, ...headers } });
      sent.on('error', () => {});
      return sent;
    };
    const half = open({ 'content-type': 'application/octet-stream', 'content-length': '50000' });
    half.write('x'.repeat(20_000));
    await eventually(async () => (await storedFiles()) > before);
    half.destroy(new Error('gone'));
    await eventually(async () => (await storedFiles()) === before, 'the end of the rest');
    const endless = open({ 'content-type': 'application/octet-stream' });
    const status = new Promise<number>((resolve) => endless.on('response', (response) => resolve(response.statusCode ?? 0)));
    endless.write('x'.repeat(MAX_SIZE));
    endless.end('x');
    assert.equal(await status, 413);
    await eventually(async () => (await storedFiles()) === before, 'the end of the rest');
    assert.ok(!(await alice.must('GET', at)).some(({ name }: { name: string }) => name === 'half.txt'));
  });

  it('are all listed, however many the releases of a page have together', async () => {
    const { db } = t.context;
    await alice.must('POST', '/user/repos', { name: 'crowded', auto_init: true });
    const repository = await db
      .selectFrom('repositories')
      .select(['id', 'owner_id'])
      .where('name', '=', 'crowded')
      .executeTakeFirstOrThrow();
    const counts = [900, 0, 2100, 900, 1];
    for (const [at, count] of counts.entries()) {
      const { id: release_id } = await alice.must('POST', '/repos/alice/crowded/releases', { tag_name: `v${at}` });
      const rows = Array.from({ length: count }, (_, n) => ({
        uuid: randomUUID(),
        repository_id: repository.id,
        uploader_id: repository.owner_id,
        release_id,
        name: `file-${String(n).padStart(4, '0')}`,
        created_at: 1,
      }));
      for (let first = 0; first < rows.length; first += 100)
        await db
          .insertInto('attachments')
          .values(rows.slice(first, first + 100))
          .execute();
    }
    const releases = await alice.must('GET', '/repos/alice/crowded/releases');
    const found = new Map(releases.map(({ tag_name, assets }: { tag_name: string; assets: { name: string }[] }) => [tag_name, assets]));
    for (const [at, count] of counts.entries()) {
      const names = (found.get(`v${at}`) as { name: string }[]).map(({ name }) => name);
      assert.deepEqual([names.length, names], [count, names.toSorted()]);
    }
    await alice.must('DELETE', '/repos/alice/crowded');
    await t.settled();
  });

  it('go with their release and their repository', async () => {
    await alice.must('DELETE', `${demo}/${id}`);
    await alice.must('DELETE', `${demo}/${draft.id}`);
    await t.settled();
    assert.equal(await storedFiles(), 0);
    const { id: last } = await alice.must('POST', demo, { tag_name: 'v9' });
    await send(alice, `${demo}/${last}/assets`, 'last.txt');
    await alice.must('DELETE', '/repos/alice/demo');
    await t.settled();
    assert.equal(await storedFiles(), 0);
    assert.equal((await t.context.db.selectFrom('releases').selectAll().execute()).length, 1);
  });
});
