import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { type CodeRepository, codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const [alice, bob, carol, dave] = [await t.user('alice'), await t.user('bob'), await t.user('carol'), await t.user('dave')];
const history = [
  { label: 'one', files: { 'a.txt': 'a\n' } },
  { label: 'topic', branch: 'topic', from: 'one', files: { 'topic.txt': '1\n' } },
  { label: 'two', files: { 'a.txt': 'b\n' } },
] as const;
const demo = await codeRepository(t, alice, 'demo', history);
await demo.git(['tag', 'v1', demo.id('one')]);
await demo.git(['branch', 'feature/x', 'topic']);

const forkOf = async (of: CodeRepository, { row }: CodeRepository) => {
  await t.context.db.updateTable('repositories').set({ fork_id: of.row.id }).where('id', '=', row.id).execute();
};
const bobs = await codeRepository(t, bob, 'renamed', [...history, { label: 'by bob', files: { 'bob.txt': 'b\n' } }]);
await forkOf(demo, bobs);
const carols = await codeRepository(t, carol, 'demo', [...history, { label: 'by carol', branch: 'topic', files: { 'c.txt': 'b\n' } }], {
  private: true,
});
await forkOf(bobs, carols);
await codeRepository(t, dave, 'unrelated', [{ label: 'other', files: { x: 'x' } }]);

const compare = async (text: string, client = alice, path = demo.path) => {
  const response = await client.get(`${path}/compare/${text}`);
  assert.equal(response.status, 200, `${text}: ${response.text}`);
  return [
    response.json.total_commits,
    ...response.json.commits.map(({ commit }: { commit: { message: string } }) => commit.message.trim()),
  ];
};

describe('comparing within a repository', () => {
  it('has the commits of the head since it left the base', async () => {
    for (const [text, ...commits] of [
      ['main...topic', 'topic'],
      ['main..topic', 'topic'],
      ['topic...main', 'two'],
      ['main...main'],
      ['v1...feature/x', 'topic'],
      ['v1...feature%2Fx', 'topic'],
      ['topic', 'topic'],
      ['main...'],
      ['HEAD...topic', 'topic'],
      ['refs/heads/main...topic', 'topic'],
      ['main~1...main', 'two'],
      [`${demo.id('one')}...${demo.id('two')}`, 'two'],
      [`${demo.id('one').slice(0, 8)}...main`, 'two'],
    ]) {
      assert.deepEqual(await compare(text ?? ''), [commits.length, ...commits], text ?? '');
    }
  });

  it('has the changes of each commit, or leaves them out', async () => {
    const { json } = await alice.get(`${demo.path}/compare/main...topic`);
    assert.deepEqual([json.commits[0].files, json.commits[0].stats.total], [[{ filename: 'topic.txt', status: 'added' }], 1]);
    const bare = await alice.get(`${demo.path}/compare/main...topic?files=false&verification=false`);
    assert.deepEqual([bare.json.commits[0].files, bare.json.commits[0].commit.verification], [null, null]);
  });

  it('refuses what it does not know', async () => {
    for (const text of [
      'main...missing',
      'missing...main',
      '--all...main',
      'main...main~9',
      'heads/main...topic',
      '@...topic',
      'HEAD~1...topic',
    ]) {
      assert.equal((await alice.get(`${demo.path}/compare/${text}`)).status, 404, text);
    }
    for (const text of ['main^...topic', 'main%40%7B1%7D...topic']) {
      const { status, json } = await alice.get(`${demo.path}/compare/${text}`);
      assert.deepEqual([status, json.message], [400, 'Unsupported comparison syntax: ref with suffix']);
    }
  });
});

describe('comparing with a fork', () => {
  it('finds it by its owner, whatever it is called', async () => {
    assert.deepEqual(await compare('main...bob:main'), [1, 'by bob']);
    assert.deepEqual(await compare('main...bob/renamed:main'), [1, 'by bob']);
    const { json } = await alice.get(`${demo.path}/compare/main...bob:main`);
    assert.ok(json.commits[0].url.includes('/repos/bob/renamed/'), 'addresses are the fork’s');
  });

  it('finds what it was forked from', async () => {
    assert.deepEqual(await compare('main...alice:topic', bob, bobs.path), [1, 'topic']);
    assert.deepEqual(await compare('main...alice:topic', carol, carols.path), [1, 'topic']);
  });

  it('finds forks of forks, for who may see them', async () => {
    assert.deepEqual(await compare('topic...carol:topic', carol), [1, 'by carol']);
  });

  it('does not reveal that a private fork exists', async () => {
    const hidden = await bob.get(`${demo.path}/compare/main...carol:main`);
    const none = await bob.get(`${demo.path}/compare/main...dave:main`);
    assert.deepEqual([hidden.status, hidden.json.message], [400, 'the user carol does not have a fork of the base repository']);
    assert.deepEqual([none.status, none.json.message], [400, 'the user dave does not have a fork of the base repository']);
    for (const head of ['carol/demo:main', 'carol/missing:main', 'nobody:main']) {
      const { status, json } = await bob.get(`${demo.path}/compare/main...${head}`);
      assert.deepEqual([status, json.message], [404, 'not found'], head);
    }
    const becomes = (is_private: boolean) =>
      t.context.db.updateTable('repositories').set({ is_private }).where('id', '=', bobs.row.id).execute();
    await becomes(true);
    // A user who sees a private repository knows that it has forks.
    for (const [head, message] of [
      ['carol:main', "Can't read headRepo UnitTypeCode"],
      ['carol/demo:main', "Can't read headRepo UnitTypeCode"],
      ['carol/missing:main', 'not found'],
    ] as const) {
      const { status, json } = await bob.get(`${bobs.path}/compare/main...${head}`);
      assert.deepEqual([status, json.message], [404, message], head);
    }
    await becomes(false);
  });

  it('compares any two repositories that are named', async () => {
    assert.deepEqual(await compare('main...dave/unrelated:main'), [1, 'other']);
  });
});
