import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const path = '/repos/alice/demo';
const first = await alice.must('POST', `${path}/contents/a.txt`, { content: 'b25lCg==', message: 'One', branch: 'main' });
await alice.must('POST', `${path}/tags`, { tag_name: 'v1', target: 'main', message: 'Tag' });
const second = await alice.must('POST', `${path}/contents/b.txt`, { content: 'dHdvCg==', message: 'Two', branch: 'main' });
const at = (revision: string) => encodeURIComponent(revision);

describe('steps after the name of a revision', () => {
  it('lead to the commit of a ref or tag', async () => {
    for (const [revision, commit] of [
      ['main^{commit}', second],
      ['main^{}', second],
      ['main@{0}', second],
      ['@{0}', second],
      ['HEAD@{0}~1', first],
      ['main~1^{commit}', first],
      ['main^{commit}^', first],
      ['v1^{commit}', first],
      ['v1^{}', first],
      ['v1^{tag}', first],
    ]) {
      const commits = await alice.must('GET', `${path}/commits?sha=${at(revision)}&limit=1`);
      assert.equal(commits[0].sha, commit.commit.sha, revision);
      assert.equal((await alice.get(`${path}/git/trees/${at(revision)}`)).status, 200, revision);
      assert.equal((await alice.get(`${path}/archive/${at(revision)}.zip`)).status, 200, revision);
      assert.equal((await alice.post(`${path}/statuses/${at(revision)}`, { state: 'success' })).status, 201, revision);
      assert.match((await alice.get(`${path}/git/commits/${at(revision)}.diff`)).text, commit === second ? /^\+two$/m : /^\+one$/m);
    }
    for (const revision of ['main@{0}', 'main^{commit}', 'v1^{tag}']) {
      assert.equal((await alice.must('GET', `${path}/compare/v1...${at(revision)}`)).total_commits, revision === 'v1^{tag}' ? 0 : 1);
    }
  });

  it('lead to the tree of a commit', async () => {
    const { sha: tree } = await alice.must('GET', `${path}/git/trees/${second.commit.sha}^{tree}`);
    assert.notEqual(tree, second.commit.sha);
    assert.equal((await alice.must('GET', `${path}/git/trees/${at('main^{tree}')}`)).sha, tree);
    assert.equal((await alice.get(`${path}/git/trees/${at('nope^{tree}')}`)).status, 400);
  });

  it('lead nowhere from what is something else', async () => {
    const { sha } = second.commit;
    for (const revision of [
      'main^{tag}',
      'main~1^{tag}',
      'v1^{commit}^{tag}',
      'main^{tree}',
      'main^{nope}',
      'main@{1}',
      `${sha}@{0}`,
      'main~99',
    ]) {
      assert.equal((await alice.get(`${path}/commits?sha=${at(revision)}`)).status, 404, revision);
      assert.equal((await alice.get(`${path}/git/commits/${at(revision)}.diff`)).status === 200, false, revision);
    }
  });

  it('are none of the name of a file, but HEAD is a commit', async () => {
    assert.equal((await alice.get('//alice/demo/raw/commit/HEAD/b.txt')).text, 'two\n');
    assert.equal((await alice.get('//alice/demo/raw/commit/main/b.txt')).status, 404);
  });
});
