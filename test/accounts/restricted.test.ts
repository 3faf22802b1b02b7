import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice', { visibility: 'limited' }), await t.user('bob')];

it('an account that is restricted keeps its relations only to what it still sees', async () => {
  for (const name of ['open', 'shared']) {
    await alice.must('POST', '/user/repos', { name });
    await bob.must('PUT', `/repos/alice/${name}/subscription`);
  }
  await alice.must('PUT', '/repos/alice/shared/collaborators/bob', { permission: 'read' });
  for (const name of ['open', 'shared']) await alice.must('POST', `/repos/alice/${name}/issues`, { title: name });
  await t.settled();
  assert.equal((await bob.must('GET', '/notifications')).length, 2);
  await t.admin.must('PATCH', '/admin/users/bob', { source_id: 0, login_name: 'bob', restricted: true });
  await t.settled();
  const relations = async (table: 'watches' | 'notifications') => {
    const rows = await t.context.db
      .selectFrom(table)
      .innerJoin('repositories', 'repositories.id', `${table}.repository_id`)
      .innerJoin('users', 'users.id', `${table}.user_id`)
      .select('repositories.name')
      .where('users.name', '=', 'bob')
      .execute();
    return rows.map(({ name }) => name);
  };
  assert.deepEqual([await relations('watches'), await relations('notifications')], [['shared'], ['shared']]);
});
