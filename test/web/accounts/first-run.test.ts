import assert from 'node:assert/strict';
import { it } from 'node:test';
import { firstAccountCode, howToBegin } from '../../../src/accounts/first-account.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
await t.context.db.deleteFrom('users').execute();
const PAGE = '/user/first_administrator';

it('makes the administrator for who knows the code of the log, once', async () => {
  const code = firstAccountCode(t.context.secrets);
  assert.match(code, /^(?:[a-z0-9]{4}-){4}[a-z0-9]{4}$/);
  assert.ok(howToBegin(t.context).includes(code));
  const browser = new Browser(t.url);
  assert.ok((await browser.get('/')).text.includes(`href="${PAGE}"`));
  const fields = { user_name: 'first', email: 'first@example.com', password: PASSWORD, retype: PASSWORD };
  const page = await browser.get(PAGE);
  for (const [wrong, reason] of [
    [{ code: '' }, /code is incorrect/],
    [{ code: 'abcd-efgh-ijkl-mnop-qrst' }, /code is incorrect/],
    [{ code, retype: 'other' }, /do not match/],
    [{ code, user_name: 'a b' }, /name is invalid/],
  ] as const) {
    const refused = await browser.submit(page, { ...fields, ...wrong });
    assert.equal(refused.status, 422);
    assert.match(refused.text, reason);
    assert.ok(!refused.text.includes(PASSWORD));
  }
  const foreign = await new Browser(t.url).send('POST', PAGE, { fields: { ...fields, code } });
  assert.equal(foreign.status, 403);
  const made = await browser.submit(page, { ...fields, code: code.toUpperCase().replaceAll('-', ' ') });
  assert.deepEqual([made.status, made.location], [303, '/']);
  const { is_admin: isAdmin } = await t.context.db
    .selectFrom('users')
    .select('is_admin')
    .where('name', '=', 'first')
    .executeTakeFirstOrThrow();
  assert.ok(isAdmin);
  assert.match((await browser.get('/')).text, /<strong>first<\/strong>/);
  assert.equal((await new Browser(t.url).get(PAGE)).status, 404);
  const late = { fields: { ...fields, user_name: 'second', code }, headers: { origin: new URL(t.url).origin } };
  assert.equal((await new Browser(t.url).send('POST', PAGE, late)).status, 404);
});
