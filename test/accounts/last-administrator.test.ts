import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { editUser } from '../../src/accounts/administration/users.ts';
import { type Context, inTransaction } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();

it('the last two administrators cannot be demoted at the same time', async () => {
  await t.user('ann');
  await t.admin.must('PATCH', '/admin/users/ann', { source_id: 0, login_name: 'ann', admin: true });
  const [admin, ann] = [await findUser(t.context.db, 'admin'), await findUser(t.context.db, 'ann')];
  assert.ok(admin && ann);
  const demote = (context: Context, user: User) => editUser(context, user, { source_id: 0, login_name: '', admin: false });
  const [refused] = await inTransaction(t.context, async (context) => {
    await demote(context, admin);
    const other = demote(t.context, ann);
    other.catch(() => {});
    // It begins before this transaction ends.
    await t.context.db.selectFrom('users').select('id').execute();
    return [other];
  });
  await assert.rejects(refused ?? Promise.resolve(), { message: `can not delete the last admin user [uid: ${ann.id}]` });
});
