import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ repository: { archivesEnabled: false } });
const alice = await t.user('alice', { full_name: 'Alice Doe' });
const bob = await t.user('bob');
const empty = await codeRepository(t, alice, 'empty', []);
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', date: '1700000000 +0200', author: 'Alice <ALICE@example.com>', message: 'One\n\nBody\n', files: { 'a.txt': '1\n' } },
  { label: 'two', date: '1700000100 +0000', files: { 'a.txt': '2\n' } },
  { label: 'topic', branch: 'topic/x', from: 'one', date: '1700000200 -0330', files: { 'b.txt': '1\n' } },
  { label: 'old', branch: 'b-old', from: 'one', date: '1600000000 +0000', files: { 'c.txt': '1\n' } },
]);
await demo.git(['branch', 'a-old', 'b-old']);
const dated = (seconds: number) => ({ env: { GIT_COMMITTER_DATE: `${seconds} +0100` } });
await demo.git(['tag', 'light', demo.id('one')]);
await demo.git(['tag', '-a', '-m', 'Version 1\n\nnotes', 'v1.0', demo.id('one')], dated(1_700_000_300));
await demo.git(['tag', '-a', '-m', 'outer', 'group/outer', 'v1.0'], dated(1_700_000_400));
await demo.git(['tag', 'tree', `${demo.id('one')}^{tree}`]);

describe('branches', () => {
  it('are null where nothing has been pushed yet', async () => {
    const response = await alice.get(`${empty.path}/branches`);
    assert.deepEqual([response.status, response.text, response.headers.get('x-total-count')], [200, 'null\n', '0']);
    assert.equal((await alice.get(`${empty.path}/branches/main`)).status, 404);
  });

  it('come with the newest commit first, those of one second by name, in pages', async () => {
    const names = async (query: string) => {
      const { json, headers } = await t.anonymous.get(`${demo.path}/branches${query}`);
      return [json.map(({ name }: { name: string }) => name).join(), headers.get('x-total-count')];
    };
    assert.deepEqual(await names(''), ['topic/x,main,a-old,b-old', '4']);
    assert.deepEqual(await names('?limit=3&page=2'), ['b-old', '4']);
    assert.deepEqual(await names('?limit=3&page=9'), ['', '4']);
    const { headers } = await alice.get(`${demo.path}/branches?limit=3`);
    assert.match(headers.get('link') ?? '', /\/branches\?limit=3&page=2>; rel="next"/);
  });

  it('have their commit, in its own time zone, and the accounts of its addresses', async () => {
    const { json } = await alice.get(`${demo.path}/branches/topic%2Fx`);
    assert.equal(json.name, 'topic/x');
    assert.deepEqual([json.commit.id, json.commit.timestamp, json.commit.added], [demo.id('topic'), '2023-11-14T18:46:40-03:30', null]);
    assert.deepEqual(json.commit.author, { name: 'Ann Author', email: 'ann@example.com', username: '' });
    const { json: old } = await alice.get(`${demo.path}/git/commits/${demo.id('one')}`);
    assert.equal(old.author.login, 'alice', 'whatever the case of the address');
    assert.deepEqual([json.protected, json.required_approvals, json.status_check_contexts], [false, 0, []]);
  });

  it('show who may push', async () => {
    for (const [client, may] of [
      [alice, true],
      [bob, false],
      [t.anonymous, false],
    ] as const) {
      const { json } = await client.get(`${demo.path}/branches/main`);
      assert.deepEqual([json.user_can_push, json.user_can_merge], [may, may]);
    }
  });

  it('names that git could mistake are not found, nothing fails', async () => {
    for (const name of [
      '--help',
      '-',
      '..',
      'a..b',
      'main@%7B1%7D',
      'a%00b',
      'a%0Ab',
      'main%5E',
      'x.lock',
      '%2e%2e%2fconfig',
      'a//b',
      'l'.repeat(3000),
    ]) {
      for (const route of ['branches', 'tags']) {
        const { status } = await alice.get(`${demo.path}/${route}/${name}`);
        assert.ok(status === 404 || (status === 200 && name === '..'), `${route}/${name}: ${status}`);
      }
    }
  });
});

describe('tags', () => {
  it('come with the newest first, by their own date or that of the commit', async () => {
    const { json, headers } = await t.anonymous.get(`${demo.path}/tags`);
    assert.deepEqual(
      json.map(({ name }: { name: string }) => name),
      ['group/outer', 'v1.0', 'light', 'tree'],
    );
    assert.equal(headers.get('x-total-count'), '4');
    assert.deepEqual((await alice.get(`${empty.path}/tags`)).json, []);
  });

  it('have the object that they point to', async () => {
    const { json: light } = await alice.get(`${demo.path}/tags/light`);
    assert.deepEqual([light.id, light.commit.sha, light.message], [demo.id('one'), demo.id('one'), 'One\n\nBody']);
    const { json: annotated } = await alice.get(`${demo.path}/tags/v1.0`);
    assert.deepEqual([annotated.commit.sha, annotated.message], [demo.id('one'), 'Version 1\n\nnotes']);
    assert.equal(annotated.commit.created, '2023-11-14T23:18:20+01:00');
    assert.ok(annotated.commit.url.endsWith(`/git/commits/${annotated.id}`));
    const { json: outer } = await alice.get(`${demo.path}/tags/group%2Fouter`);
    assert.equal(outer.commit.sha, annotated.id, 'a tag of a tag names that');
    assert.equal((await alice.get(`${demo.path}/tags/tree`)).json.message, '');
  });

  it('name no archives where the server offers none', async () => {
    const { json } = await alice.get(`${demo.path}/tags/light`);
    assert.deepEqual([json.zipball_url, json.tarball_url], ['', '']);
    assert.equal((await alice.get(`${demo.path}/archive/main.zip`)).status, 404);
  });

  it('have objects, which are found by their ids alone', async () => {
    const id = await demo.git(['rev-parse', 'v1.0']);
    const { json } = await alice.get(`${demo.path}/git/tags/${id}`);
    assert.deepEqual([json.tag, json.sha, json.message], ['v1.0', id, 'Version 1\n\nnotes\n']);
    assert.deepEqual(json.tagger, { name: 'Ann Author', email: 'ann@example.com', date: '2023-11-14T22:18:20Z' });
    assert.deepEqual([json.object.type, json.object.sha], ['commit', demo.id('one')]);
    const tree = await demo.git(['rev-parse', 'main^{tree}']);
    await demo.git(['tag', '-a', '-m', 'of a tree', 'of-tree', tree]);
    for (const [sha, message] of [
      [await demo.git(['rev-parse', 'of-tree']), `object does not exist [id: ${tree}, rel_path: ]`],
      ['v1.0', 'length 4 has no matched object format: v1.0'],
      [demo.id('one'), `object does not exist [id: ${demo.id('one')}, rel_path: ]`],
      ['0'.repeat(40), `object does not exist [id: ${'0'.repeat(40)}, rel_path: ]`],
    ]) {
      const response = await alice.get(`${demo.path}/git/tags/${sha}`);
      assert.deepEqual([response.status, response.json.message], [400, message]);
    }
    await demo.git(['tag', '-d', 'of-tree']);
  });

  it('are not found once the ref is deleted, though the object may exist', async () => {
    await demo.git(['tag', '-a', '-m', 'gone', 'gone', 'main']);
    const id = await demo.git(['rev-parse', 'gone']);
    await demo.git(['tag', '-d', 'gone']);
    assert.equal((await alice.get(`${demo.path}/git/tags/${id}`)).status, 400);
  });
});
