import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tar } from '../packages/support/archives.ts';
import type { Client } from '../support/client.ts';
import { type Instance, scratch } from './support.ts';

/** A picture of one pixel, as base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What was made, as far as tests go on with it. */
export interface Filled {
  /** Owns `alice/code`. */
  readonly alice: Client;
  /** Has a fork of it. */
  readonly bob: Client;
  /** A clone of `alice/code`. */
  readonly clone: string;
  /** Paths whose responses say all that was made. */
  readonly paths: readonly string[];
}

/** Fills an instance through HTTP and git with something of every kind. */
export async function fill(instance: Instance): Promise<Filled> {
  const [alice, bob] = [await instance.user('alice', true), await instance.user('bob')];
  await alice.must('POST', '/user/avatar', { image: PIXEL });
  await alice.must('POST', '/orgs', { username: 'acme', full_name: 'Acme – “quoted” \\ 日本語' });
  await alice.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code', 'repo.issues'] });
  await alice.must('POST', '/orgs/acme/repos', { name: 'plain', auto_init: true, private: true });
  await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main', description: 'Trees' });
  const clone = await pushes(alice);
  await bob.must('POST', '/repos/alice/code/forks', {});
  await talks(alice, bob);
  await releases(alice);
  await alice.must('PUT', '/repos/alice/code/actions/secrets/KEY', { data: 'hidden' });
  await alice.must('POST', '/repos/alice/code/wiki/new', { title: 'Home', content_base64: btoa('the wiki'), message: 'start' });
  const oid = await largeFile(alice);
  return { alice, bob, clone, paths: [...PATHS, `//alice/code.git/info/lfs/objects/${oid}`] };
}

/** A list of packages, parts of which are kept beside it. */
const PACKAGES = '//api/packages/alice/cran/src/contrib/PACKAGES';
const PATHS = [
  ...['/users/alice', '/users/search?q=full', '/orgs/acme', '/orgs/acme/teams', '/repos/search?q=cod', '/repos/search'],
  ...['', '/branches', '/commits', '/tags', '/releases', '/labels', '/milestones', '/contents/README.md', '/git/refs'].map(
    (path) => `/repos/alice/code${path}`,
  ),
  ...['/issues?state=all', '/issues?q=walrus&state=all', '/issues/1', '/issues/1/comments', '/issues/1/timeline', '/issues/1/assets'].map(
    (path) => `/repos/alice/code${path}`,
  ),
  ...['/pulls', '/pulls/2', '/pulls/2/commits', '/pulls/2/files', '/pulls/2.diff', '/pulls/2/reviews'].map(
    (path) => `/repos/alice/code${path}`,
  ),
  ...['/wiki/pages', '/wiki/page/Home', '/actions/secrets', '/hooks', '/forks'].map((path) => `/repos/alice/code${path}`),
  ...['/repos/bob/code', '/repos/bob/code/branches', '/repos/acme/plain/branches', '/repos/issues/search?q=walrus'],
  ...['/packages/alice', '//api/packages/alice/generic/demo/1/file.bin', PACKAGES, '//alice/code/raw/branch/main/README.md'],
];

async function pushes(alice: Client): Promise<string> {
  const clone = join(await scratch(), 'clone');
  const git = async (...args: string[]) => {
    const { code, stderr } = await alice.git(args, clone);
    assert.equal(code, 0, stderr);
  };
  assert.equal((await alice.git(['clone', '-q', alice.remote('alice/code'), clone], '/')).code, 0);
  await writeFile(join(clone, 'data.bin'), randomBytes(100_000));
  await git('checkout', '-q', '-b', 'feature');
  await git('add', '.');
  await git('commit', '-q', '-m', 'Add data');
  await git('tag', '-a', 'v1', '-m', 'first');
  await git('push', '-q', 'origin', 'feature', 'v1');
  return clone;
}

async function talks(alice: Client, bob: Client): Promise<void> {
  const code = '/repos/alice/code';
  const { id: label } = await alice.must('POST', `${code}/labels`, { name: 'bug', color: '#ff0000' });
  const { id: milestone } = await alice.must('POST', `${code}/milestones`, { title: 'one' });
  await bob.must('POST', `${code}/issues`, { title: 'A walrus', body: `found 12 of them\n${'long '.repeat(100)}🦭` });
  await alice.must('PATCH', `${code}/issues/1`, { milestone, assignees: ['alice'] });
  await alice.must('POST', `${code}/issues/1/labels`, { labels: [label] });
  await bob.must('POST', `${code}/issues/1/comments`, { body: 'another walrus, for @alice' });
  const form = new FormData();
  form.append('attachment', new File([randomBytes(5000)], 'note.txt'));
  assert.equal((await alice.send('POST', `${code}/issues/1/assets`, { form })).status, 201);
  await alice.must('POST', `${code}/pulls`, { title: 'Feature', head: 'feature', base: 'main', body: 'closes #1' });
  await bob.must('POST', `${code}/pulls/2/reviews`, { event: 'COMMENT', body: 'a walrus, reviewed' });
  await alice.must('POST', `${code}/hooks`, { type: 'gitea', config: { url: 'http://127.0.0.1:1/', content_type: 'json', secret: 'shh' } });
}

async function releases(alice: Client): Promise<void> {
  await alice.must('POST', '/repos/alice/code/releases', { tag_name: 'v1', name: 'First', body: 'notes' });
  const put = await alice.send('PUT', '//api/packages/alice/generic/demo/1/file.bin', {
    raw: randomBytes(20_000),
    type: 'application/octet-stream',
  });
  assert.equal(put.status, 201);
  const raw = gzipSync(await tar({ 'chart/DESCRIPTION': 'Package: chart\nVersion: 1.0\nLicense: MIT\n' }));
  assert.equal((await alice.send('PUT', '//api/packages/alice/cran/src', { raw })).status, 201);
  assert.match((await alice.get(PACKAGES)).text, /^Package: chart$/m);
}

/** Uploads a large file as git-lfs does; returns its id. */
async function largeFile(alice: Client): Promise<string> {
  const bytes = randomBytes(30_000);
  const oid = createHash('sha256').update(bytes).digest('hex');
  const put = await alice.send('PUT', `//alice/code.git/info/lfs/objects/${oid}/${bytes.length}`, {
    raw: bytes,
    type: 'application/octet-stream',
  });
  assert.equal(put.status, 200, put.text);
  return oid;
}
