import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findRepository } from '../../src/access/find-repository.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ api: { maxBlobSize: 1000 } });
const alice = await t.user('alice', { full_name: 'Alice A' });
const writer = await t.user('writer');
const reader = await t.user('reader');
const { id } = await alice.must('POST', '/user/repos', { name: 'demo' });
const demo = '/repos/alice/demo';
const path = `${demo}/wiki`;
await alice.must('PUT', `${demo}/collaborators/writer`, { permission: 'write' });
await alice.must('PUT', `${demo}/collaborators/reader`, { permission: 'read' });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const text = (page: { content_base64: string }) => Buffer.from(page.content_base64, 'base64').toString();
const titles = async (query = '') => (await alice.must('GET', `${path}/pages${query}`)).map(({ title }: { title: string }) => title);
const folder = async () => {
  const repository = await findRepository(t.context.db, id);
  assert.ok(repository);
  return t.context.git.locateWiki(repository).path;
};

describe('wikis', () => {
  it('are there when somebody writes one, not before', async () => {
    assert.equal((await alice.get(`${path}/pages`)).status, 404);
    assert.equal((await alice.delete(`${path}/page/Home`)).status, 404);
    assert.equal((await alice.patch(`${path}/page/Home`, { title: 'Start' })).status, 404);
    assert.equal((await reader.post(`${path}/new`, { title: 'Home' })).status, 403);
    assert.equal((await alice.post(`${path}/new`, { title: '_new', content_base64: '' })).status, 400);
    assert.ok(!existsSync(await folder()));
    assert.notEqual((await alice.git(['ls-remote', alice.remote('alice/demo.wiki')], t.folder)).code, 0);
    const made = await alice.must('POST', `${path}/new`, { title: 'Home', content_base64: base64('Welcome\n') });
    assert.deepEqual([made.last_commit.message, made.last_commit.author.name, made.commit_count], ['Add "Home"\n', 'Alice A', 1]);
    assert.ok(existsSync(await folder()));
  });

  it('keep the text or the title of a page where only the other changes', async () => {
    await alice.must('POST', `${path}/new`, { title: 'Old title', content_base64: base64('Text\n') });
    const renamed = await writer.must('PATCH', `${path}/page/Old-title`, { title: 'New title' });
    assert.deepEqual([renamed.sub_url, text(renamed)], ['New-title', 'Text\n']);
    const changed = await writer.must('PATCH', `${path}/page/New-title`, { content_base64: base64('Other\n') });
    assert.deepEqual([changed.title, text(changed)], ['New title', 'Other\n']);
    assert.equal((await alice.get(`${path}/page/Old-title`)).status, 404);
    const emptied = await writer.must('PATCH', `${path}/page/New-title`, { content_base64: '' });
    assert.equal(text(emptied), '');
  });

  it('never lose one page to another', async () => {
    const taken = await alice.patch(`${path}/page/New-title`, { title: 'Home', content_base64: base64('Gone?\n') });
    assert.deepEqual([taken.status, taken.json.message], [400, 'wiki page already exists [title: Home.md]']);
    assert.equal((await alice.patch(`${path}/page/New-title`, { title: 'raw' })).status, 400);
    assert.equal(text(await alice.must('GET', `${path}/page/Home`)), 'Welcome\n');
  });

  it('refuse what makes no sense', async () => {
    const before = await titles();
    for (const body of [
      {},
      { title: '  ' },
      { title: 'x', content_base64: '***' },
      { title: 'x'.repeat(300) },
      { title: 'ü'.repeat(100) },
    ]) {
      assert.equal((await alice.post(`${path}/new`, body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await alice.post(`${path}/new`, { title: 7 })).status, 422);
    assert.equal((await alice.get(`${path}/page/..%2F..%2FHEAD.md`)).status, 404);
    assert.deepEqual(await titles(), before);
  });

  it('take pages from people who write at once', async () => {
    const made = await Promise.all([1, 2, 3, 4].map((n) => alice.post(`${path}/new`, { title: `Many ${n}`, content_base64: base64('x') })));
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    const same = await Promise.all([1, 2, 3].map(() => alice.post(`${path}/new`, { title: 'One', content_base64: base64('x') })));
    assert.deepEqual(same.map(({ status }) => status).sort(), [201, 400, 400]);
    assert.deepEqual(await titles('?limit=2&page=2'), ['Many 2', 'Many 3']);
    assert.deepEqual(await titles('?limit=1'), await titles());
    assert.deepEqual(await titles('?page=9'), []);
  });

  it('list revisions of a page, and leave out texts that are too large', async () => {
    await alice.must('PATCH', `${path}/page/Home`, { content_base64: base64('x'.repeat(2000)), message: ' Grow ' });
    assert.equal((await alice.must('GET', `${path}/page/Home`)).content_base64, '');
    const { commits, count } = await t.anonymous.must('GET', `${path}/revisions/Home`);
    assert.deepEqual(
      commits.map(({ message }: { message: string }) => message),
      [' Grow \n', 'Add "Home"\n'],
    );
    assert.equal(count, 2);
    assert.deepEqual((await t.anonymous.must('GET', `${path}/revisions/Home?page=2`)).commits, []);
    assert.equal((await t.anonymous.get(`${path}/revisions/none`)).status, 404);
  });

  it('are repositories of git, whose links are read as texts and not listed', async () => {
    const tree = join(t.folder, 'tree');
    await mkdir(tree);
    assert.equal((await writer.git(['clone', '-q', writer.remote('alice/demo.wiki'), '.'], tree)).code, 0);
    await writeFile(join(tree, 'By-git.md'), 'By git\n');
    await writeFile(join(tree, 'a+b.md'), 'Plus\n');
    await mkdir(join(tree, 'images'));
    await writeFile(join(tree, 'images', 'a b.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await symlink('/etc/passwd', join(tree, 'Link.md'));
    await writer.git(['add', '-A'], tree);
    await writer.git(['commit', '-q', '-m', 'By git'], tree);
    const pushed = await writer.git(['push', '-q', 'origin', 'HEAD'], tree);
    assert.equal(pushed.code, 0, pushed.stderr);
    assert.equal(text(await reader.must('GET', `${path}/page/By-git`)), 'By git\n');
    assert.equal(text(await reader.must('GET', `${path}/page/a+b`)), 'Plus\n');
    assert.equal(text(await reader.must('GET', `${path}/page/Link`)), '/etc/passwd');
    assert.equal((await reader.must('GET', `${path}/revisions/Link`)).count, 1);
    assert.ok(!(await titles('?limit=50')).includes('Link'));
    await writer.must('PATCH', `${path}/page/Link`, { content_base64: base64('No link any more') });
    assert.equal(text(await reader.must('GET', `${path}/page/Link`)), 'No link any more');
    assert.ok((await titles('?limit=50')).includes('Link'));
    const deleted = await writer.git(['push', 'origin', ':main'], tree);
    assert.match(deleted.stderr, /branch main is the default branch and cannot be deleted/);
    assert.notEqual((await reader.git(['push', reader.remote('alice/demo.wiki'), 'HEAD'], tree)).code, 0);
    const image = await reader.get('//alice/demo/wiki/raw/images/a%20b.svg');
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match(image.headers.get('content-security-policy') ?? '', /sandbox/);
    const page = await t.anonymous.get('//alice/demo/wiki/raw/By-git');
    assert.deepEqual([page.text, page.headers.get('content-type')], ['By git\n', 'text/plain; charset=utf-8']);
    await writer.must('POST', `${path}/new`, { title: 'C++ 100%', content_base64: base64('plus') });
    for (const name of ['C%2B%2B-100%25', 'By-git.md', 'By-git.md.md']) {
      assert.equal((await t.anonymous.get(`//alice/demo/wiki/raw/${name}`)).status, 200, name);
    }
    await writer.must('DELETE', `${path}/page/C%2B%2B-100%25`);
    const [{ sha }] = (await reader.must('GET', `${path}/revisions/By-git`)).commits;
    assert.match((await t.anonymous.get(`//alice/demo/wiki/commit/${sha}.diff`)).text, /^diff --git[\s\S]*\+By git/);
    assert.match((await t.anonymous.get(`//alice/demo/wiki/commit/${sha}.patch`)).text, /^From [\s\S]*Subject: \[PATCH\] By git/);
    assert.equal((await t.anonymous.get(`//alice/demo/wiki/commit/${'0'.repeat(40)}.diff`)).status, 404);
    for (const missing of ['none.png', 'images', '..%2F..%2FHEAD', '']) {
      assert.equal((await reader.get(`//alice/demo/wiki/raw/${missing}`)).status, 404, missing);
    }
    await t.settled();
  });

  it('can begin with a push', async () => {
    await alice.must('POST', '/user/repos', { name: 'pushed' });
    const pushed = await alice.git(['push', '-q', alice.remote('alice/pushed.wiki'), 'HEAD:refs/heads/main'], join(t.folder, 'tree'));
    assert.equal(pushed.code, 0, pushed.stderr);
    for (const page of ['By-git', 'By-git/'])
      assert.equal(text(await alice.must('GET', `/repos/alice/pushed/wiki/page/${page}`)), 'By git\n');
  });

  it('need their unit, access and the scope of a token', async () => {
    const [narrow, wide] = [await alice.token(['read:repository']), await alice.token(['write:repository'])];
    assert.equal((await narrow.patch(`${path}/page/Home`, { content_base64: '' })).status, 403);
    assert.equal((await (await alice.token(['write:issue'])).get(`${path}/page/Home`)).status, 403);
    assert.equal((await wide.patch(`${path}/page/Home`, { content_base64: base64('By token') })).status, 200);
    await alice.must('PATCH', demo, { private: true });
    const [{ sha }] = (await alice.must('GET', `${path}/revisions/Home`)).commits;
    for (const at of [
      `${path}/page/Home`,
      `//alice/demo/wiki/commit/${sha}.diff`,
      '//alice/demo/wiki/raw/Home',
      '//alice/demo/wiki/raw/images/a%20b.svg',
    ]) {
      assert.equal((await t.anonymous.get(at)).status, 404);
    }
    await alice.must('PATCH', demo, { private: false, archived: true });
    for (const response of [
      await alice.post(`${path}/new`, { title: 'x' }),
      await alice.patch(`${path}/page/Home`, {}),
      await alice.delete(`${path}/page/Home`),
      await t.anonymous.delete(`${path}/page/Home`),
    ]) {
      assert.equal(response.status, 423);
    }
    await alice.must('PATCH', demo, { archived: false, has_wiki: false });
    assert.equal((await alice.get(`${path}/page/Home`)).status, 404);
    await alice.must('PATCH', demo, { has_wiki: true });
    assert.equal((await writer.delete(`${path}/page/Home`)).status, 204);
    assert.equal((await writer.delete(`${path}/page/Home`)).status, 404);
  });

  it('go with their repository', async () => {
    const at = await folder();
    await alice.must('DELETE', demo);
    await t.settled();
    assert.ok(!existsSync(at));
  });
});
