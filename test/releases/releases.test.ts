import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { countFindings } from '../../src/repositories/doctor/counts.ts';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>' },
});
const alice = await t.user('alice');
const writer = await t.user('writer');
const reader = await t.user('reader');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const demo = '/repos/alice/demo';
const path = `${demo}/releases`;
await alice.must('PUT', `${demo}/collaborators/writer`, { permission: 'write' });
await alice.must('PUT', `${demo}/collaborators/reader`, { permission: 'read' });
const tree = join(t.folder, 'tree');
await mkdir(tree);
await alice.git(['clone', '-q', alice.remote('alice/demo'), '.'], tree);

const git = async (...args: string[]) => {
  const done = await alice.git(args, tree);
  assert.equal(done.code, 0, done.stderr);
  await t.settled();
};
const count = async () => (await alice.must('GET', demo)).release_counter;
const names = async (client = alice, query = '') =>
  (await client.must('GET', path + query)).map(({ tag_name }: { tag_name: string }) => tag_name).sort();

describe('releases', () => {
  it('make their tags, plain or annotated', async () => {
    const made = await alice.must('POST', path, { tag_name: 'v1', name: 'One', tag_message: 'The first' });
    assert.deepEqual([made.target_commitish, made.draft, made.assets, made.author.login], ['main', false, [], 'alice']);
    assert.equal((await alice.must('GET', `${demo}/tags/v1`)).message, 'The first');
    await alice.must('POST', path, { tag_name: 'group/v1', name: 'Grouped' });
    const grouped = await alice.must('GET', `${path}/tags/group%2Fv1`);
    assert.equal(grouped.html_url, `${t.url}alice/demo/releases/tag/group/v1`);
    assert.equal(await count(), 2);
  });

  it('need a name that a tag can have, a target and a commit', async () => {
    for (const name of ['with space', '-v', 'a..b', 'x'.repeat(300), 'x.lock']) {
      for (const draft of [false, true]) assert.equal((await alice.post(path, { tag_name: name, draft })).status, 422, name);
    }
    const missing = await alice.post(path, { tag_name: 'v9', target_commitish: '--all' });
    assert.deepEqual(
      [missing.status, missing.json.message],
      [404, 'target "--all" not found: object does not exist [id: --all, rel_path: ]'],
    );
    await alice.must('POST', '/user/repos', { name: 'empty' });
    assert.equal((await alice.post('/repos/alice/empty/releases', { tag_name: 'v1', draft: true })).status, 422);
    assert.equal((await alice.get(`${demo}/tags/v9`)).status, 404);
    assert.equal(await count(), 2);
  });

  it('are one for each tag, whatever its case, also when two come at once', async () => {
    for (const tag_name of ['v1', 'V1']) assert.equal((await alice.post(path, { tag_name })).status, 409);
    const both = await Promise.all([
      alice.post(path, { tag_name: 'twice', draft: true }),
      writer.post(path, { tag_name: 'twice', draft: true }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    const { id } = await alice.must('GET', `${path}/tags/twice`);
    const taken = await alice.patch(`${path}/${id}`, { tag_name: 'V1' });
    assert.deepEqual([taken.status, taken.json.message], [409, 'release tag already exist [tag_name: V1]']);
    assert.equal((await alice.delete(`${path}/${id}`)).status, 204);
  });

  it('cut off titles that are too long', async () => {
    const { name } = await alice.must('POST', path, { tag_name: 'long', name: 'x'.repeat(400), draft: true });
    assert.equal(name, `${'x'.repeat(252)}…`);
    await alice.must('DELETE', `${path}/tags/long`);
  });

  it('of drafts are seen by writers alone, with tokens that may write, or by their tag', async () => {
    const { id } = await alice.must('POST', path, { tag_name: 'v2', name: 'Two', draft: true });
    const [narrow, wide] = [await alice.token(['read:repository']), await alice.token(['write:repository'])];
    for (const [client, status] of [
      [reader, 404],
      [t.anonymous, 404],
      [narrow, 404],
      [wide, 200],
      [writer, 200],
      [t.admin, 200],
    ] as const) {
      for (const at of [`${path}/${id}`, `${path}/${id}/assets`]) assert.equal((await client.get(at)).status, status, at);
      assert.equal((await client.get(`${path}/tags/v2`)).status, client === narrow ? 200 : status);
      assert.equal((await names(client)).includes('v2'), status === 200);
    }
    assert.deepEqual(await names(reader, '?draft=true'), []);
    assert.equal((await reader.patch(`${path}/${id}`, { draft: false })).status, 403);
    assert.equal(await count(), 2);
  });

  it('are published with their tag, which the API makes for no other purpose', async () => {
    assert.equal((await alice.get(`${demo}/tags/v2`)).status, 404);
    const [taken, kept] = [await alice.post(`${demo}/tags`, { tag_name: 'v2' }), await alice.delete(`${demo}/tags/v2`)];
    assert.deepEqual([taken.status, taken.json.message, kept.status], [409, 'tag already exists [name: v2]', 409]);
    const { id } = await alice.must('GET', `${path}/tags/v2`);
    const published = await writer.must('PATCH', `${path}/${id}`, { draft: false });
    assert.deepEqual([published.draft, published.author.login], [false, 'alice']);
    assert.equal((await alice.get(`${demo}/tags/v2`)).status, 200);
    assert.equal((await alice.get(`${path}/latest`)).json.id, id);
    assert.equal(await count(), 3);
  });

  it('follow the tags that are pushed', async () => {
    await alice.must('POST', path, { tag_name: 'v3', draft: true });
    const git3 = join(t.folder, 'writer');
    await mkdir(git3);
    await writer.git(['clone', '-q', writer.remote('alice/demo'), '.'], git3);
    await writer.git(['tag', '-a', '-m', 'Three', 'v3'], git3);
    assert.equal((await writer.git(['push', '-q', 'origin', 'v3'], git3)).code, 0);
    const pushed = await reader.must('GET', `${path}/tags/v3`);
    assert.deepEqual([pushed.draft, pushed.author.login, pushed.created_at], [false, 'writer', '2024-01-02T03:04:05Z']);
    await git('push', '-q', 'origin', ':refs/tags/v3');
    assert.equal((await reader.get(`${path}/tags/v3`)).status, 404);
    assert.equal((await alice.must('GET', `${path}/tags/v3`)).draft, true);
    assert.equal(await count(), 3);
    await alice.must('DELETE', `${path}/tags/v3`);
  });

  it('distinguish tags by case when they are pushed', async () => {
    await git('tag', 'V1');
    await git('push', '-q', 'origin', 'V1');
    await git('push', '-q', 'origin', ':refs/tags/V1');
    assert.equal((await alice.must('GET', `${path}/tags/v1`)).draft, false);
  });

  it('of tags that were there are as old as those', async () => {
    await git('-c', 'tag.gpgsign=false', 'tag', '-a', '-m', 'Old', 'old');
    await git('push', '-q', 'origin', 'old');
    const { created_at, target_commitish } = await alice.must('POST', path, { tag_name: 'old', name: 'Old' });
    assert.deepEqual([created_at, target_commitish], ['2024-01-02T03:04:05Z', '']);
    assert.equal((await alice.get(`${path}/latest`)).json.tag_name, 'v2');
    const kept = await alice.delete(`${demo}/tags/old`);
    assert.deepEqual([kept.status, kept.json.message], [409, 'a tag attached to a release cannot be deleted directly']);
    assert.equal((await alice.delete(`${path}/tags/old`)).status, 204);
    assert.equal((await alice.delete(`${demo}/tags/old`)).status, 204);
  });

  it('of tags that requests made are as old as those, until they move', async () => {
    const created = async () => {
      const { id, created_at, published_at } = await alice.must('POST', path, { tag_name: 'asked' });
      assert.equal(created_at, published_at);
      await alice.must('DELETE', `${path}/${id}`);
      return created_at;
    };
    const madeAt = (at: number) => t.context.db.updateTable('tag_dates').set({ made_at: at }).where('name', '=', 'asked').execute();
    await alice.must('POST', `${demo}/tags`, { tag_name: 'asked' });
    await madeAt(1_800_000_000);
    assert.deepEqual([await created(), await created()], Array(2).fill('2027-01-15T08:00:00Z'));
    await git('fetch', '-q');
    await git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'More');
    await git('push', '-q', '-f', 'origin', 'HEAD:refs/tags/asked');
    assert.equal(await created(), '2024-01-02T03:04:05Z');
    // The tag is made again: by a release now, whose date outlives it.
    assert.equal((await alice.delete(`${demo}/tags/asked`)).status, 204);
    const { id } = await alice.must('POST', path, { tag_name: 'asked' });
    await t.context.db.updateTable('releases').set({ created_at: 1_900_000_000 }).where('id', '=', id).execute();
    await alice.must('DELETE', `${path}/${id}`);
    assert.equal(await created(), '2030-03-17T17:46:40Z');
    assert.equal((await alice.delete(`${demo}/tags/asked`)).status, 204);
    assert.deepEqual(await t.context.db.selectFrom('tag_dates').select('name').where('name', '=', 'asked').execute(), []);
  });

  it('make protected tags for those alone who may', async () => {
    const rule = await alice.must('POST', `${demo}/tag_protections`, { name_pattern: 'p*', whitelist_usernames: ['alice'] });
    const refused = await writer.post(path, { tag_name: 'p1' });
    assert.deepEqual([refused.status, refused.json.message], [422, 'release tag name is protected [tag_name: p1]']);
    const { id } = await writer.must('POST', path, { tag_name: 'p1', draft: true });
    assert.equal((await writer.patch(`${path}/${id}`, { draft: false })).status, 422);
    assert.equal((await alice.must('PATCH', `${path}/${id}`, { draft: false })).draft, false);
    await alice.must('DELETE', `${path}/${id}`);
    await alice.must('DELETE', `${demo}/tag_protections/${rule.id}`);
  });

  it('are found in their own repository alone', async () => {
    await alice.must('POST', '/user/repos', { name: 'other', auto_init: true });
    const { id } = await alice.must('GET', `${path}/tags/v1`);
    const other = `/repos/alice/other/releases/${id}`;
    assert.equal((await alice.get(other)).status, 404);
    assert.equal((await alice.patch(other, { name: 'x' })).status, 404);
    assert.equal((await alice.delete(other)).status, 404);
    assert.equal((await alice.must('GET', `${path}/${id}`)).name, 'One');
  });

  it('are refused where the repository is archived or the unit is off', async () => {
    const { id } = await alice.must('GET', `${path}/tags/v1`);
    await alice.must('PATCH', demo, { archived: true });
    assert.equal((await alice.post(path, { tag_name: 'late' })).status, 423);
    assert.equal((await alice.patch(`${path}/${id}`, { name: 'x' })).status, 423);
    assert.equal((await reader.get(path)).status, 200);
    await alice.must('PATCH', demo, { archived: false, has_releases: false });
    assert.equal((await reader.get(path)).status, 403);
    assert.equal((await writer.post(path, { tag_name: 'late' })).status, 403);
    await alice.must('PATCH', demo, { has_releases: true });
  });

  it('are mailed to watchers who may see them, and recorded in feeds', async () => {
    await t.settled();
    box.mails.splice(0);
    await reader.must('PUT', `${demo}/subscription`);
    await writer.must('POST', path, { tag_name: 'v7', name: 'Seven <b>', body: 'It **runs**', draft: true });
    await t.settled();
    assert.deepEqual(box.mails.splice(0), []);
    const { id } = await alice.must('GET', `${path}/tags/v7`);
    await writer.must('PATCH', `${path}/${id}`, { draft: false });
    await t.settled();
    const mails = box.mails.splice(0);
    assert.deepEqual(mails.flatMap(({ to }) => to).sort(), ['alice@example.com', 'reader@example.com']);
    assert.match(mails[0]?.text ?? '', /Subject: \[alice\/demo\] Seven <b> \(v7\)/);
    assert.match(mails[0]?.text ?? '', /<strong>runs<\/strong>/);
    assert.match(mails[0]?.text ?? '', /<h4>Seven &lt;b&gt;<\/h4>/);
    assert.match(mails[0]?.text ?? '', /archive\/v7\.zip/);
    const feed: { op_type: string; ref_name: string; content: string; act_user: { login: string } }[] = await alice.must(
      'GET',
      `${demo}/activities/feeds`,
    );
    const first = feed.find(({ op_type, ref_name }) => op_type === 'publish_release' && ref_name === 'refs/tags/v7');
    assert.deepEqual(
      [first?.op_type, first?.ref_name, first?.content, first?.act_user.login],
      ['publish_release', 'refs/tags/v7', 'Seven <b>', 'writer'],
    );
    await writer.must('PATCH', `${path}/${id}`, { name: 'Again' });
    await t.settled();
    assert.deepEqual(box.mails, []);
  });

  it('are counted as they are', async () => {
    const wrong = async () =>
      (await Array.fromAsync(countFindings(t.context))).map(({ text }) => text).filter((text) => /releases_count/.test(text));
    assert.deepEqual(await wrong(), []);
    await t.context.db.updateTable('repositories').set({ releases_count: 99 }).where('name', '=', 'demo').execute();
    assert.equal((await wrong()).length, 1);
    for await (const { fix } of countFindings(t.context)) await fix?.();
    assert.deepEqual(await wrong(), []);
  });

  it('outlive those who published them', async () => {
    const { id } = await alice.must('GET', `${path}/tags/v7`);
    await t.admin.must('DELETE', '/admin/users/writer');
    const { author } = await alice.must('GET', `${path}/${id}`);
    assert.equal(author.login, 'Ghost');
  });
});
