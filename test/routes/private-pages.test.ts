// On SQLite alone: what this asks of the database is asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { addressesOf } from './paths.ts';
import { hiddenThings, INTERNAL, SECRET } from './world.ts';

/** Every page of the server, new ones too, for somebody who is signed in and may see nothing of what is hidden. */

const t = await testServer();
const hidden = await hiddenThings(t);
const mallory = await t.user('mallory');
await mallory.must('POST', '/user/repos', { name: 'own', auto_init: true });
await mallory.must('POST', '/repos/mallory/own/issues', { title: 'An issue' });
const browser = new Browser(t.url);
await browser.signIn('mallory', PASSWORD);

const pages = allRoutes.filter(({ id, path }) => id.startsWith('page GET ') && !path.startsWith('//user/logout'));
const [owner = '', repo = ''] = hidden.repository.split('/');
const common = {
  ...hidden.values,
  index: ['1', '2'],
  type: ['generic'],
  version: ['1.0'],
  username: ['alice', `${SECRET}-user`],
  org: [hidden.organization],
};
const places = {
  'a private repository': { ...common, owner: [owner], repo: [repo] },
  'a private organization': { ...common, owner: [hidden.organization], repo: [repo] },
  'a public repository': { ...common, owner: ['alice'], repo: ['open'] },
  'a repository of their own': { ...common, owner: ['mallory'], repo: ['own'], '*': ['main'] },
};
/** What filters and searches of pages are called. */
const QUERIES = [
  '',
  `?q=${SECRET}`,
  `?tab=activity`,
  `?tab=repositories`,
  '?history_id=1&comment_id=0',
  `?head=alice:${SECRET}&base=main`,
  `?q=${INTERNAL}&state=all&actor=alice`,
];

/** What browsers and programs send with a form that no page of this instance has. */
const FOREIGN: Record<string, string>[] = [
  {},
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: new URL(t.url).origin },
];

/** A page without what its reader sent. */
function newsIn(address: string, text: string): string {
  const known = decodeURIComponent(address)
    .split(/[/?&=:]/)
    .filter((part) => part.includes(SECRET) || part.includes(INTERNAL));
  return known
    .toSorted((a, b) => b.length - a.length)
    .reduce((news, word) => news.replaceAll(word, '').replaceAll(encodeURIComponent(word), ''), text);
}

describe('no page', () => {
  const sent = new Set<string>();
  for (const [name, place] of Object.entries(places)) {
    it(`shows somebody who is signed in what is hidden from them, at ${name}`, async () => {
      const leaks: string[] = [];
      const secrets = new RegExp(`${SECRET}|${INTERNAL}`);
      for (const address of pages.flatMap((page) => addressesOf(page, place).slice(0, 4))) {
        for (const query of QUERIES) {
          const path = address.slice(1) + query;
          if (sent.has(path)) continue;
          sent.add(path);
          const { status, text, location } = await browser.get(path);
          const news = newsIn(path, `${text}\n${location}`);
          const at = news.search(secrets);
          if (at >= 0 || status >= 500) leaks.push(`${status} ${path}: ${news.slice(Math.max(0, at - 150), at + 50)}`);
          // Where there is nothing, no filter changes that.
          if (status === 404) break;
        }
      }
      assert.deepEqual(leaks, []);
    });
  }

  it('has been left out', () => {
    assert.ok(sent.size > 200, String(sent.size));
  });
});

describe('no form', () => {
  it('does anything that another site sends', async () => {
    const forms = allRoutes.filter(({ id }) => id.startsWith('page POST '));
    assert.ok(forms.length > 50, String(forms.length));
    for (const form of forms) {
      const [address] = addressesOf(form, { ...common, owner: ['mallory'], repo: ['own'], username: ['mallory'], '*': ['main'] });
      assert.ok(address, form.path);
      for (const headers of FOREIGN) {
        const { status, text } = await browser.send('POST', address.slice(1), { fields: { _token: 'x', name: 'x' }, headers });
        assert.deepEqual([status, text.includes('no longer valid')], [403, true], `${form.id} ${JSON.stringify(headers)}`);
      }
    }
  });
});
