import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db } = t.context;
const [alice, bob, stranger] = await Promise.all([t.user('alice'), t.user('bob'), t.user('stranger')]);
const restricted = await t.user('restricted', { is_restricted: true });
const hidden = await t.user('hidden', { visibility: 'private' });
const token = await alice.token(['read:repository', 'public-only']);
const callers = { anonymous: t.anonymous, alice, bob, stranger, restricted, hidden, admin: t.admin, token };

for (const visibility of ['public', 'limited', 'private']) {
  const name = `${visibility}-org`;
  await alice.must('POST', '/orgs', { username: name, visibility });
  await alice.must('POST', `/orgs/${name}/repos`, { name: 'open' });
  await alice.must('POST', `/orgs/${name}/repos`, { name: 'closed', private: true });
  const team = await alice.must('POST', `/orgs/${name}/teams`, { name: 'readers', permission: 'read', units: ['repo.code'] });
  await alice.must('PUT', `/teams/${team.id}/members/bob`);
  await alice.must('PUT', `/teams/${team.id}/repos/${name}/closed`);
  await alice.must('PUT', `/repos/${name}/open/collaborators/restricted`, { permission: 'read' });
}
for (const [client, body] of [
  [alice, { name: 'plain' }],
  [alice, { name: 'secret', private: true }],
  [alice, { name: 'pattern', template: true }],
  [bob, { name: 'secret', private: true, template: true }],
  [hidden, { name: 'plain' }],
  [hidden, { name: 'secret', private: true }],
] as const) {
  await client.must('POST', '/user/repos', body);
}
await bob.must('PUT', '/repos/bob/secret/collaborators/stranger', { permission: 'read' });
await bob.must('POST', '/repos/alice/plain/forks', {});

/** The number that is told is that of what is found page by page. */
async function total(client: Client, query: string): Promise<number> {
  let seen = 0;
  let told = 0;
  for (let page = 1; page === 1 || seen < told; page++) {
    const { json, headers } = await client.get(`/repos/search?${query}&limit=5&page=${page}`);
    told = Number(headers.get('x-total-count'));
    if (json.data.length === 0) break;
    seen += json.data.length;
  }
  assert.equal(seen, told, query);
  return told;
}

/** The kept numbers against counting again. */
async function countsAreRight(): Promise<void> {
  const kinds = sql`type, visibility, is_private, is_template, is_archived, is_mirror, is_fork`;
  const { rows } = await sql`
    select ${kinds} from (
      select ${kinds}, count from repository_counts
      union all
      select users.type, users.visibility, is_private, is_template, is_archived, is_mirror, (fork_id is not null), -1
      from repositories join users on users.id = repositories.owner_id where state = 'ready'
    ) as rows group by ${kinds} having sum(count) <> 0`.execute(db);
  assert.deepEqual(rows, []);
}

describe('the number of repositories', () => {
  it('is that of those that the caller may see', async () => {
    const totals = await Promise.all(Object.entries(callers).map(async ([name, client]) => [name, await total(client, '')]));
    assert.deepEqual(Object.fromEntries(totals), {
      anonymous: 4,
      alice: 10,
      bob: 10,
      stranger: 6,
      restricted: 6,
      hidden: 7,
      admin: 13,
      token: 4,
    });
    await countsAreRight();
  });

  it('is counted for every kind and order', async () => {
    for (const client of Object.values(callers)) {
      const all = await total(client, '');
      for (const kind of ['is_private', 'template', 'archived']) {
        assert.equal((await total(client, `${kind}=true`)) + (await total(client, `${kind}=false`)), all, kind);
      }
      assert.equal((await total(client, 'mode=source')) + (await total(client, 'mode=fork')) + (await total(client, 'mode=mirror')), all);
      for (const sort of ['alpha', 'created', 'updated', 'size', 'git_size', 'lfs_size', 'stars', 'forks', 'id']) {
        for (const order of ['asc', 'desc']) assert.equal(await total(client, `sort=${sort}&order=${order}`), all);
      }
      assert.ok((await total(client, 'private=false')) <= all);
    }
    assert.equal(await total(bob, 'is_private=true&template=true'), 1);
    assert.equal(await total(bob, 'mode=fork'), 1);
  });

  it('follows what becomes of repositories and their owners', async () => {
    const steps: (() => Promise<unknown>)[] = [
      () => alice.must('PATCH', '/repos/alice/plain', { private: true }),
      () => alice.must('PATCH', '/repos/alice/pattern', { archived: true, template: false }),
      () => alice.must('PATCH', '/orgs/private-org', { visibility: 'public' }),
      () => alice.must('PATCH', '/orgs/public-org', { visibility: 'private' }),
      () => alice.must('POST', '/repos/alice/secret/transfer', { new_owner: 'limited-org' }),
      () => t.admin.must('PATCH', '/admin/users/hidden', { source_id: 0, login_name: 'x', visibility: 'limited' }),
      () => alice.must('DELETE', '/repos/alice/plain'),
      () => t.admin.must('DELETE', '/admin/users/hidden?purge=true'),
    ];
    for (const step of steps) {
      await step();
      await countsAreRight();
      for (const client of [t.anonymous, alice, bob, stranger, restricted, t.admin]) await total(client, '');
    }
    // What a database removes along with its owner counts as well.
    await db.deleteFrom('users').where('lower_name', '=', 'bob').execute();
    await countsAreRight();
  });

  it('stays right when many change at once', async () => {
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        await stranger.must('POST', '/user/repos', { name: `many-${index}`, private: index % 2 === 0 });
        await t.admin.must('PATCH', '/admin/users/stranger', {
          source_id: 0,
          login_name: 'x',
          visibility: index % 2 ? 'public' : 'limited',
        });
        await stranger.must('PATCH', `/repos/stranger/many-${index}`, { private: index % 2 === 1 });
      }),
    );
    await countsAreRight();
  });
});
