import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
const restricted = await t.user('restricted', { is_restricted: true });
for (const [user, body] of [
  [alice, { name: 'apple', description: 'red Fruit' }],
  [alice, { name: 'Banana', private: true }],
  [alice, { name: 'cherry', template: true }],
  [bob, { name: 'a_pple' }],
  [bob, { name: 'damson', private: true }],
] as const) {
  await user.must('POST', '/user/repos', body);
}
await alice.must('PUT', '/repos/alice/apple/topics', { topics: ['fruit', 'red'] });
await bob.must('PUT', '/repos/bob/damson/collaborators/alice', { permission: 'read' });
await carol.must('PUT', '/user/starred/alice/apple');
await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'guild', visibility: 'private' });
await alice.must('POST', '/orgs/guild/repos', { name: 'hidden-hall' });

const search = async (client: Client, query: string): Promise<string[]> => {
  const { status, json } = await client.get(`/repos/search?${query}`);
  assert.equal(status, 200);
  assert.equal(json.ok, true);
  return json.data.map(({ full_name }: { full_name: string }) => full_name);
};
const idOf = async (client: Client) => (await client.must('GET', '/user')).id;

describe('searching repositories', () => {
  it('shows everybody what they may see, by name for any owner', async () => {
    assert.deepEqual(await search(t.anonymous, ''), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    assert.deepEqual(await search(carol, ''), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    assert.deepEqual(await search(alice, ''), [
      'alice/Banana',
      'bob/a_pple',
      'alice/apple',
      'alice/cherry',
      'bob/damson',
      'guild/hidden-hall',
    ]);
    assert.deepEqual(await search(restricted, ''), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    assert.equal((await search(t.admin, '')).length, 6);
  });

  it('finds words in names, topics and, if asked, descriptions', async () => {
    assert.deepEqual(await search(alice, 'q=APPLE'), ['alice/apple']);
    assert.deepEqual(await search(alice, 'q=apple,damson'), ['alice/apple', 'bob/damson']);
    assert.deepEqual(await search(alice, 'q=bob/dam'), ['bob/damson']);
    assert.deepEqual(await search(alice, 'q=fru'), ['alice/apple']);
    assert.deepEqual(await search(alice, 'q=fru&topic=true'), []);
    assert.deepEqual(await search(alice, 'q=Fruit&topic=true'), ['alice/apple']);
    assert.deepEqual(await search(alice, 'q=red%20fruit'), []);
    assert.deepEqual(await search(alice, 'q=red%20fruit&includeDesc=true'), ['alice/apple']);
    assert.deepEqual(await search(alice, `q=${"'".repeat(3)}%25`), []);
  });

  it('takes filters and orders', async () => {
    const id = await idOf(alice);
    assert.deepEqual(await search(alice, `uid=${id}&exclusive=true`), ['alice/Banana', 'alice/apple', 'alice/cherry']);
    assert.deepEqual(await search(alice, `uid=${id}&mode=collaborative`), ['bob/damson', 'guild/hidden-hall']);
    assert.deepEqual(await search(alice, 'is_private=true'), ['alice/Banana', 'bob/damson']);
    assert.deepEqual(await search(alice, 'private=false'), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    assert.deepEqual(await search(alice, 'template=true'), ['alice/cherry']);
    assert.deepEqual(await search(alice, `starredBy=${await idOf(carol)}`), ['alice/apple']);
    assert.deepEqual((await search(alice, `priority_owner_id=${await idOf(bob)}`)).slice(0, 2), ['bob/a_pple', 'bob/damson']);
    assert.deepEqual((await search(alice, 'sort=alpha')).slice(2, 4), ['alice/cherry', 'bob/a_pple']);
    for (const no of ['private=no', 'private=0']) assert.equal((await search(alice, no)).length, 3, no);
    for (const none of ['private=', 'uid=-1', 'starredBy=-1', 'priority_owner_id=-1'])
      assert.equal((await search(alice, none)).length, 6, none);
    assert.equal((await search(alice, 'sort=stars&order=desc'))[0], 'alice/apple');
    for (const direction of ['asc', 'desc']) {
      const equal = await search(alice, `uid=${id}&exclusive=true&sort=forks&order=${direction}`);
      assert.deepEqual(equal, ['alice/apple', 'alice/Banana', 'alice/cherry'], 'the oldest of equal ones first');
    }
    assert.equal((await search(alice, 'sort=id&order=desc'))[0], 'guild/hidden-hall');
    for (const sort of ['alpha', 'created', 'updated', 'size', 'git_size', 'lfs_size', 'forks']) {
      assert.equal((await search(alice, `sort=${sort}`)).length, 6, sort);
    }
  });

  it('refuses modes and orders that are none', async () => {
    for (const [query, message] of [
      ['mode=other', 'Invalid search mode: "other"'],
      ['sort=other', 'Invalid sort mode: "other"'],
      ['sort=id&order=up', 'Invalid sort order: "up"'],
      ['mode=constructor', 'Invalid search mode: "constructor"'],
    ]) {
      const { status, json } = await alice.get(`/repos/search?${query}`);
      assert.deepEqual([status, json.message], [422, message]);
    }
  });

  it('a public-only token finds and lists what is public only', async () => {
    const token = await alice.token(['read:repository', 'read:user', 'read:organization', 'public-only']);
    assert.deepEqual(await search(token, 'private=true'), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    const names = async (path: string) => (await token.must('GET', path)).map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('/user/repos'), ['apple', 'cherry']);
    assert.deepEqual(await names('/users/alice/repos'), ['apple', 'cherry']);
    // A repository of an owner who is not public is not public either.
    assert.equal((await token.get('/repos/guild/hidden-hall')).status, 403);
    assert.deepEqual(await names('/user/subscriptions'), ['apple', 'cherry']);
    assert.equal((await token.get('/repos/alice/banana')).status, 403);
    const banana = await alice.must('GET', '/repos/alice/banana');
    assert.equal((await token.get(`/repositories/${banana.id}`)).status, 404);
  });

  it('pages are bounded, whatever is asked for', async () => {
    const { headers, json } = await alice.get('/repos/search?limit=100000000&page=2');
    assert.deepEqual(json.data, []);
    assert.equal(headers.get('x-total-count'), '6');
    assert.equal((await alice.get('/repos/search?limit=2&page=999999999999')).status, 200);
    assert.equal((await alice.get(`/repos/search?q=${'a,'.repeat(500)}`)).status, 200);
  });
});

describe('listing repositories', () => {
  it('lists what somebody owns and contributes to, page by page', async () => {
    const names = (list: { full_name: string }[]) => list.map(({ full_name }) => full_name);
    assert.deepEqual(names(await alice.must('GET', '/user/repos')), [
      'alice/Banana',
      'alice/apple',
      'alice/cherry',
      'bob/damson',
      'guild/hidden-hall',
    ]);
    const second = await alice.get('/user/repos?limit=2&page=2');
    assert.deepEqual(names(second.json), ['alice/cherry', 'bob/damson']);
    assert.match(second.headers.get('link') ?? '', /page=3.*rel="next".*rel="prev"/);
    assert.deepEqual(names(await carol.must('GET', '/users/alice/repos')), ['alice/apple', 'alice/cherry']);
    assert.deepEqual(names(await carol.must('GET', '/orgs/guild/repos')), []);
    assert.deepEqual(names(await alice.must('GET', '/orgs/guild/repos')), ['guild/hidden-hall']);
  });

  it('lists public repositories of others only for who may write', async () => {
    const dora = await t.user('dora');
    await alice.must('PUT', '/repos/alice/cherry/collaborators/dora', { permission: 'read' });
    assert.deepEqual((await dora.get('/user/repos')).json, []);
    await alice.must('PUT', '/repos/alice/cherry/collaborators/dora', { permission: 'write' });
    assert.equal((await dora.get('/user/repos')).json.length, 1);
    await alice.must('PUT', '/repos/alice/Banana/collaborators/dora', { permission: 'read' });
    assert.equal((await dora.get('/user/repos')).json.length, 2);
  });

  it('takes the same queries for one and for many', async () => {
    const many = await alice.must('GET', '/user/repos');
    for (const repository of many) assert.deepEqual(repository, await alice.must('GET', `/repos/${repository.full_name}`));
  });
});

describe('searching for words', () => {
  it('finds all that have one of them, however they are found', async () => {
    const mine = async (query: string) => (await search(alice, query)).filter((name) => !name.startsWith('guild/'));
    assert.deepEqual(await mine('q=ruit'), ['alice/apple']);
    assert.deepEqual(await mine('q=ppl,err'), ['bob/a_pple', 'alice/apple', 'alice/cherry']);
    assert.deepEqual(await mine('q=ppl,b'), ['alice/Banana', 'bob/a_pple', 'alice/apple']);
    assert.deepEqual(await mine('q=a_ple'), ['alice/apple']);
    assert.deepEqual(await mine('q=app%25,zzz'), ['alice/apple']);
    assert.deepEqual(await mine('q=ice/ana'), ['alice/Banana']);
    assert.deepEqual(await mine('q=ice/a'), ['alice/Banana', 'alice/apple']);
    assert.deepEqual(await mine('q=alice/apple/more'), []);
    assert.deepEqual(await mine('q=fruit,anan&topic=true'), ['alice/apple']);
    assert.deepEqual(await search(t.anonymous, 'q=anan,ppl'), ['bob/a_pple', 'alice/apple']);
  });
});
