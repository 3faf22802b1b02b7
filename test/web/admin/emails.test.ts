import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
await t.user('alice');
const user = await t.context.db.selectFrom('users').select('id').where('name', '=', 'alice').executeTakeFirstOrThrow();
await t.context.db
  .insertInto('email_addresses')
  .values({ user_id: user.id, email: 'zoe@example.com', lower_email: 'zoe@example.com', is_activated: false, is_primary: false })
  .execute();

it('e-mail addresses are narrowed to confirmed and primary ones, and sorted both ways', async () => {
  const browser = new Browser(t.url);
  await browser.signIn('admin', PASSWORD);
  const listed = async (query: string) => {
    const { text } = await browser.get(`/-/admin/emails${query}`);
    return [...text.matchAll(/<tr><td>([^<]+)<\/td>/g)].map(([, email]) => email);
  };
  const all = await listed('');
  assert.ok(all.length >= 3);
  assert.deepEqual(await listed('?sort=reverseemail'), all.toReversed());
  assert.deepEqual(await listed('?is_activated=0'), ['zoe@example.com']);
  assert.deepEqual(
    await listed('?is_activated=1&is_primary=1'),
    all.filter((email) => email !== 'zoe@example.com'),
  );
  assert.deepEqual(await listed('?is_primary=0&q=zoe'), ['zoe@example.com']);
  const { text } = await browser.get('/-/admin/emails?is_activated=0&sort=reverseemail');
  assert.match(text, /<option value="0" selected>/);
  assert.match(text, /<input type="hidden" name="sort" value="reverseemail">/);
  const stranger = new Browser(t.url);
  await stranger.signIn('alice', PASSWORD);
  assert.equal((await stranger.get('/-/admin/emails?is_activated=0')).status, 403);
});
