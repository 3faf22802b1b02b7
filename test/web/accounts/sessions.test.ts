import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { isSignedIn } from './session.ts';

const t = await testServer();
await t.user('alice');
const SECURITY = '/user/settings/security';

it('lists the browsers of an account, and signs all others out at once', async () => {
  const [own, other, third] = [new Browser(t.url), new Browser(t.url), new Browser(t.url)];
  for (const browser of [own, other, third]) await browser.signIn('alice', PASSWORD);
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <img src=x onerror=alert(1)>';
  await t.context.db.updateTable('sessions').set({ user_agent: agent }).execute();
  const page = await own.get(SECURITY);
  assert.equal([...page.text.matchAll(/>Firefox on Linux</g)].length, 3);
  assert.equal([...page.text.matchAll(/>This browser</g)].length, 1);
  assert.ok(!page.text.includes('<img src=x'));
  assert.equal((await own.submit(page, {}, `${SECURITY}/sessions/end_others`)).location, SECURITY);
  assert.deepEqual([await isSignedIn(own), await isSignedIn(other), await isSignedIn(third)], [true, false, false]);
  const { action } = await t.context.db.selectFrom('audit_entries').select('action').orderBy('id', 'desc').executeTakeFirstOrThrow();
  assert.equal(action, 'session.end');
});
