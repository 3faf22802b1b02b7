import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', files: { 'a.txt': 'a\n', 'gone.txt': 'x\n', 'old.txt': '1\n2\n3\n4\n5\n6\n', 'space.txt': 'a b\n', 'run.sh': 'x\n' } },
  { label: 'topic', branch: 'topic', from: 'one', files: { 'a.txt': 'b\n', 'gone.txt': null, 'bin.dat': Buffer.from([0, 1, 2]) } },
  {
    label: 'more',
    branch: 'topic',
    files: {
      'old.txt': null,
      'dir/new.txt': '1\n2\n3\n4\n5\n6\n',
      'space.txt': 'a  b\n',
      'ünï.txt': 'u\n',
      'run.sh': { mode: '100755', content: 'x\n' },
    },
  },
  { label: 'two', files: { 'main.txt': 'm\n' } },
  { label: 'alone', branch: 'topic2', from: 'one', files: { 'alone.txt': 'a\n' } },
]);
const pulls = `${demo.path}/pulls`;
await alice.must('POST', pulls, { head: 'topic', base: 'main', title: 'Topic' });
await alice.must('POST', pulls, { head: 'topic2', base: 'main', title: 'Alone' });
type File = { filename: string; status: string; previous_filename?: string; additions: number; deletions: number };
const files = async (query = ''): Promise<File[]> => (await alice.get(`${pulls}/1/files${query}`)).json;
const names = async (query = '') => (await files(query)).map(({ filename }) => filename);

describe('the files of a pull request', () => {
  it('are nowhere in a repository without a commit: nothing can be pulled into it', async () => {
    await alice.must('POST', '/user/repos', { name: 'void' });
    for (const path of ['pulls', 'pulls/pinned', 'pulls/1/files']) assert.equal((await alice.get(`/repos/alice/void/${path}`)).status, 404);
    assert.deepEqual(await alice.must('GET', '/repos/alice/void/issues'), []);
  });

  it('have their changes since the head left the base', async () => {
    assert.deepEqual(
      (await files()).map(({ filename, status, additions, deletions }) => [filename, status, additions, deletions]),
      [
        ['a.txt', 'changed', 1, 1],
        ['bin.dat', 'added', 0, 0],
        ['dir/new.txt', 'renamed', 0, 0],
        ['gone.txt', 'deleted', 0, 1],
        ['run.sh', 'unchanged', 0, 0],
        ['space.txt', 'changed', 1, 1],
        ['ünï.txt', 'added', 1, 0],
      ],
    );
    assert.equal((await files())[2]?.previous_filename, 'old.txt');
  });

  it('come in pages, from a file on, and without what differs in white space alone', async () => {
    assert.deepEqual(await names('?limit=2&page=2'), ['dir/new.txt', 'gone.txt']);
    assert.deepEqual(await names('?skip-to=run.sh&limit=2'), ['run.sh', 'space.txt']);
    assert.deepEqual(await names('?skip-to=nope'), []);
    assert.equal((await names('?whitespace=ignore-all')).includes('space.txt'), false);
    assert.equal((await names('?whitespace=bogus')).includes('space.txt'), true);
    const { headers } = await alice.get(`${pulls}/1/files?limit=2`);
    assert.deepEqual([headers.get('x-total-count'), headers.get('x-pagecount'), headers.get('x-hasmore')], ['7', '4', 'true']);
  });
});

describe('a pull request as a diff', () => {
  it('is the same each time, and git applies it', async () => {
    const { headers, text } = await alice.get(`${pulls}/1.diff`);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(text, /Binary files \/dev\/null and b\/bin.dat differ/);
    assert.equal((await alice.get(`${pulls}/1.diff`)).text, text);
    const binary = (await alice.get(`${pulls}/1.diff?binary=1`)).text;
    await demo.git(['read-tree', demo.id('one')]);
    await demo.git(['apply', '--cached'], { input: binary });
    assert.equal(await demo.git(['write-tree']), await demo.git(['rev-parse', `${demo.id('more')}^{tree}`]));
    const patch = (await alice.get(`${pulls}/1.patch`)).text;
    assert.equal(patch.match(/^Subject: \[PATCH [12]\/2\]/gm)?.length, 2);
    assert.equal((await alice.get('//alice/demo/pulls/1.diff')).text, text);
    for (const path of ['9.diff', '1.txt', 'x.diff']) assert.equal((await alice.get(`${pulls}/${path}`)).status, 404, path);
  });
});

describe('the commits of a pull request', () => {
  it('are those that the base has not', async () => {
    const { json, headers } = await alice.get(`${pulls}/1/commits`);
    assert.deepEqual(
      json.map(({ sha }: { sha: string }) => sha),
      [demo.id('more'), demo.id('topic')],
    );
    assert.equal(headers.get('x-total-count'), '2');
  });
});

describe('finding pull requests', () => {
  it('by their branches', async () => {
    assert.equal((await alice.get(`${pulls}/main/topic2`)).json.number, 2);
    assert.equal((await alice.get(`${pulls}/%2B2`)).json.number, 2);
    assert.equal((await alice.get(`${pulls}/main/alice/demo:topic2`)).json.number, 2);
    for (const path of ['topic/main', 'main/bob:topic', 'main/x/y/z:topic'])
      assert.equal((await alice.get(`${pulls}/${path}`)).status, 404);
  });

  it('in lists by what they are', async () => {
    const list = async (query: string) => (await alice.get(`${pulls}?${query}`)).json.map(({ number }: { number: number }) => number);
    assert.deepEqual(await list(''), [2, 1]);
    assert.deepEqual(await list('sort=oldest&limit=1'), [1]);
    assert.deepEqual(await list('state=closed'), []);
    assert.deepEqual(await list('poster=bob'), []);
    const logins = ({ assignees }: { assignees: { login: string }[] }) => assignees.map(({ login }) => login);
    const one = await alice.must('PATCH', `${pulls}/1`, { assignees: ['bob', 'alice'] });
    assert.deepEqual(
      [logins(one), logins((await alice.get(pulls)).json[1])],
      [
        ['bob', 'alice'],
        ['alice', 'bob'],
      ],
    );
    assert.deepEqual(await list('labels=1&labels=2'), []);
    assert.deepEqual(await list('base_branch=topic'), []);
    assert.equal((await alice.get(`${pulls}?labels=x`)).status, 422);
    assert.equal((await alice.get(`${pulls}?poster=nobody`)).status, 400);
  });

  it('shows a private fork only to users who may see it', async () => {
    await bob.must('POST', `${demo.path}/forks`, { name: 'fork' });
    await bob.must('POST', '/repos/bob/fork/contents/x.txt', { content: 'eA==', new_branch: 'x', message: 'x' });
    const { number } = await bob.must('POST', pulls, { head: 'bob/fork:x', base: 'main', title: 'X' });
    const seen = async (client: typeof bob) => (await client.get(`${pulls}/${number}`)).json.head.repo?.full_name;
    assert.equal(await seen(alice), 'bob/fork');
    await t.context.db.updateTable('repositories').set({ is_private: true }).where('name', '=', 'fork').execute();
    assert.deepEqual([await seen(bob), await seen(alice), await seen(t.anonymous)], ['bob/fork', undefined, undefined]);
    assert.equal(await seen(await bob.token(['public-only', 'read:repository'])), undefined);
    const listed = (await alice.get(pulls)).json.find((pull: { number: number }) => pull.number === number);
    assert.deepEqual([listed.head.repo, listed.head.repo_id, listed.head.ref], [null, -1, 'x']);
  });

  it('refuses heads whose objects are named in another way', async () => {
    await codeRepository(t, alice, 'sha256', [], { object_format_name: 'sha256', auto_init: true });
    const response = await alice.post(pulls, { head: 'alice/sha256:main', base: 'main', title: 'x' });
    assert.equal(response.status, 422);
  });

  it('hides those of private repositories, and where they are off or cannot be', async () => {
    await alice.must('POST', '/user/repos', { name: 'empty' });
    assert.equal((await alice.get('/repos/alice/empty/pulls')).status, 404);
    assert.equal((await alice.get('/repos/alice/empty/issues')).status, 200);
    await alice.must('PATCH', demo.path, { private: true });
    for (const path of ['', '/1', '/1.diff', '/1/files', '/1/commits', '/pinned', '/main/topic']) {
      assert.equal((await bob.get(`${pulls}${path}`)).status, 404, path);
      assert.equal((await t.anonymous.get(`${pulls}${path}`)).status, 404, path);
    }
    await alice.must('PATCH', demo.path, { private: false, has_pull_requests: false });
    for (const path of ['', '/1', '/1.diff', '/1/files']) assert.equal((await alice.get(`${pulls}${path}`)).status, 404, path);
    await alice.must('PATCH', demo.path, { has_pull_requests: true });
  });
});
