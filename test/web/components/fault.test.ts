// On SQLite alone: it asks nothing of the database.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
await t.user('alice');
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);

it('says in a sentence what is wrong with a field, in the language of the reader, and has the focus', async () => {
  const page = await browser.get('/repo/create');
  assert.match(page.text, /name="name"[^>]* autofocus>/);
  const refused = await browser.submit(page, { name: 'a b', description: 'typed' }, '/repo/create');
  assert.match(refused.text, /<p class="fault" role="alert" tabindex="-1" autofocus>Name: only letters, digits, dots/);
  assert.match(refused.text, /name="description"[^>]* value="typed"|>typed</);
  const german = await browser.send('POST', '/repo/create', {
    fields: { _token: tokenOf(page.text), name: 'a b' },
    headers: { 'accept-language': 'de' },
  });
  assert.match(german.text, /Name: nur Buchstaben, Ziffern, Punkte/);
});

it('leaves the focus to the password of a sign-in that failed', async () => {
  const { text } = await new Browser(t.url).signIn('alice', 'wrong');
  assert.match(text, /<p class="fault" role="alert">/);
  assert.match(text, /name="password"[^>]* autofocus>/);
  assert.doesNotMatch(text, /name="user_name"[^>]* autofocus>/);
});

function tokenOf(text: string): string {
  return /name="_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
}
