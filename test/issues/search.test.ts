import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const stranger = await t.user('stranger');
await alice.must('POST', '/user/repos', { name: 'open' });
await alice.must('POST', '/user/repos', { name: 'hidden', private: true });
await alice.must('POST', '/orgs', { username: 'acme' });
for (const [name, isPrivate] of [
  ['shared', true],
  ['other', false],
])
  await alice.must('POST', '/orgs/acme/repos', { name, private: isPrivate });
const crew = await alice.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code', 'repo.issues'] });
await alice.must('PUT', `/teams/${crew.id}/repos/acme/shared`);
await alice.must('PUT', `/teams/${crew.id}/members/bob`);

const titles = async (who: Client, query: string): Promise<string[]> =>
  (await who.must('GET', `/repos/issues/search?${query}`)).map(({ title }: { title: string }) => title);
const total = async (who: Client, query: string) => (await who.get(`/repos/issues/search?${query}`)).headers.get('x-total-count');

await alice.must('POST', '/repos/alice/open/issues', { title: 'open 1' });
await bob.must('POST', '/repos/alice/open/issues', { title: 'open 2', body: '@alice' });
await alice.must('POST', '/repos/alice/hidden/issues', { title: 'hidden 1', assignees: ['alice'] });
await bob.must('POST', '/repos/acme/shared/issues', { title: 'shared 1' });
await alice.must('POST', '/repos/acme/other/issues', { title: 'other 1', closed: true });

describe('the search over all repositories', () => {
  it('finds what the caller may read, and counts that alone', async () => {
    const everything: [Client, string[]][] = [
      [alice, ['other 1', 'shared 1', 'hidden 1', 'open 2', 'open 1']],
      [bob, ['other 1', 'shared 1', 'open 2', 'open 1']],
      [stranger, ['other 1', 'open 2', 'open 1']],
      [t.anonymous, ['other 1', 'open 2', 'open 1']],
      [t.admin, ['other 1', 'shared 1', 'hidden 1', 'open 2', 'open 1']],
    ];
    for (const [who, expected] of everything) {
      assert.deepEqual(await titles(who, 'state=all'), expected, who.name);
      assert.equal(await total(who, 'state=all'), String(expected.length), who.name);
      // The total of a filter is counted another way than that of none.
      assert.equal(await total(who, 'state=all&before=2100-01-01T00:00:00Z'), String(expected.length), who.name);
    }
    assert.equal(await total(alice, 'state=closed'), '1');
    assert.equal(await total(alice, 'type=pulls'), '0');
  });

  it('narrows to owner, team and what the caller has to do with it', async () => {
    assert.deepEqual(await titles(bob, 'owner=acme&team=crew'), ['shared 1']);
    assert.deepEqual(await titles(alice, 'owner=alice'), ['hidden 1', 'open 2', 'open 1']);
    assert.deepEqual(await titles(alice, 'assigned=true'), ['hidden 1']);
    assert.deepEqual(await titles(alice, 'mentioned=true'), ['open 2']);
    assert.deepEqual(await titles(bob, 'created=true'), ['shared 1', 'open 2']);
    assert.deepEqual(await titles(t.anonymous, 'created=true&created_by=bob'), ['open 2']);
    assert.deepEqual(await titles(alice, 'reviewed=true'), []);
    for (const [query, status] of [
      ['owner=nobody', 400],
      ['team=crew', 400],
      ['owner=acme&team=nobody', 400],
      ['created_by=nobody', 404],
      ['since=x', 422],
    ]) {
      assert.equal((await alice.get(`/repos/issues/search?${query}`)).status, status, String(query));
    }
  });

  it('shows a token for public things public things alone', async () => {
    const token = await alice.token(['public-only', 'read:issue']);
    assert.deepEqual(await titles(token, 'state=all'), ['other 1', 'open 2', 'open 1']);
    assert.equal(await total(token, 'state=all'), '3');
    assert.equal((await token.get('/repos/alice/hidden/issues/1')).status, 404);
  });

  it('leaves out private repositories whose team lacks the unit', async () => {
    await alice.must('PATCH', `/teams/${crew.id}`, { name: 'crew', permission: 'write', units: ['repo.code'] });
    assert.deepEqual(await titles(bob, 'owner=acme&state=all'), ['other 1']);
    assert.equal(await total(bob, 'owner=acme&state=all'), '1');
    assert.equal((await bob.get('/repos/acme/shared/issues/1')).status, 404);
  });
});

describe('words', () => {
  it('are found in titles, texts and comments, next to each other, and as they are now', async () => {
    await alice.must('POST', '/user/repos', { name: 'words' });
    const repo = '/repos/alice/words';
    const open = async (title: string, body = '') => (await alice.must('POST', `${repo}/issues`, { title, body })).number;
    await open('Printer catches fire', 'Smoke everywhere; seen in HTTPServer v1.2');
    await open('Scanner is slow', 'The printer is fine');
    await open('日本語の文書', 'Ünïcödé café 100%_sure');
    const comment = await alice.must('POST', `${repo}/issues/3/comments`, { body: 'Could be the zeppelin roller' });
    const found = async (q: string) => {
      const response = await alice.get(`${repo}/issues?q=${encodeURIComponent(q)}`);
      assert.equal(response.headers.get('x-total-count'), String(response.json.length), q);
      return response.json.map(({ number }: { number: number }) => number);
    };
    for (const [q, expected] of [
      ['printer', [2, 1]],
      ['PRINTER', [2, 1]],
      ['catches fire', [1]],
      ['fire catches', []],
      ['print', []],
      ['zeppelin ROLLER', [3]],
      ['fire smoke', []],
      ['server', [1]],
      ['v1.2', [1]],
      ['本語', [3]],
      ['cafe\u0301', [3]],
      ['100%', [3]],
      ['%', []],
      ['"fire" OR NEAR(x', []],
      ['3', [3]],
      ['', [3, 2, 1]],
    ] as const) {
      assert.deepEqual(await found(q), expected, q);
    }
    await alice.must('PATCH', `${repo}/issues/comments/${comment.id}`, { body: 'A blimp' });
    assert.deepEqual([await found('zeppelin'), await found('blimp')], [[], [3]]);
    await alice.must('DELETE', `${repo}/issues/comments/${comment.id}`);
    await alice.must('PATCH', `${repo}/issues/1`, { title: 'Kettle' });
    assert.deepEqual([await found('blimp'), await found('catches'), await found('kettle'), await found('smoke')], [[], [], [1], [1]]);
  });
  it('that are numbers are found inside of longer ones, and name an issue', async () => {
    await alice.must('POST', '/user/repos', { name: 'numbers' });
    const repo = '/repos/alice/numbers';
    const open = (title: string, body = '') => alice.must('POST', `${repo}/issues`, { title, body });
    await open('Version 12345', 'and v2.10.300');
    await open('Odd', 'abc4567def, 00700');
    const comment = await alice.must('POST', `${repo}/issues/2/comments`, { body: 'see 98765' });
    const found = async (q: string) => {
      const response = await alice.get(`${repo}/issues?q=${q}`);
      assert.equal(response.headers.get('x-total-count'), String(response.json.length), q);
      return response.json.map(({ number }: { number: number }) => number);
    };
    for (const [q, expected] of [
      ['234', [1]],
      ['345', [1]],
      ['0', [2, 1]],
      ['10', [1]],
      ['56', [2]],
      ['876', [2]],
      ['2', [2, 1]],
      ['13', []],
      ['07', [2]],
      ['2.10', [1]],
      ['.10', [1]],
      ['234+version', []],
    ] as const) {
      assert.deepEqual(await found(q), expected, q);
    }
    assert.deepEqual(await titles(alice, 'q=9876'), ['Odd']);
    assert.deepEqual(await titles(stranger, 'q=9876'), ['Odd']);
    await alice.must('PATCH', repo, { private: true });
    assert.deepEqual(await titles(stranger, 'q=9876'), []);
    await alice.must('PATCH', `${repo}/issues/comments/${comment.id}`, { body: 'see 11' });
    assert.deepEqual([await found('876'), await found('11')], [[], [2]]);
    await alice.must('DELETE', `${repo}/issues/comments/${comment.id}`);
    await alice.must('PATCH', `${repo}/issues/1`, { title: 'Version 777', body: '' });
    assert.deepEqual([await found('11'), await found('234'), await found('77')], [[], [], [1]]);
  });
});
