// On SQLite alone: the searches that it uses are tested on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzyScore } from '../../src/web/palette/match.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'secret-garden', private: true, auto_init: true });
await alice.must('POST', '/user/repos', { name: 'open-field', auto_init: true });
await alice.must('POST', '/orgs', { username: 'gardeners', visibility: 'private' });
await alice.must('POST', '/repos/alice/secret-garden/issues', { title: 'Water <img src=x onerror=alert(1)> roses' });
await alice.must('POST', '/repos/alice/open-field/issues', { title: 'Mow the meadow' });
const [own, stranger, nobody] = [new Browser(t.url), new Browser(t.url), new Browser(t.url)];
await own.signIn('alice', PASSWORD);
await stranger.signIn('bob', PASSWORD);

/** The label and the address of each option. */
async function offered(browser: Browser, q: string, at = ''): Promise<[label: string, href: string][]> {
  const { status, text } = await browser.get(`/-/palette?${new URLSearchParams({ q, at })}`);
  assert.equal(status, 200, `${JSON.stringify(q)}: ${text}`);
  return [...text.matchAll(/data-href="([^"]*)">.*? <span>(.*?)<\/span>/g)].map(([, href = '', label = '']) => [label, href]);
}
const labels = async (...request: Parameters<typeof offered>) => (await offered(...request)).map(([label]) => label);

describe('the palette', () => {
  it('finds own repositories and organizations by some letters in their order', async () => {
    assert.deepEqual((await offered(own, 'scgar'))[0], ['alice/secret-garden', '/alice/secret-garden']);
    assert.ok((await labels(own, 'grdnrs')).includes('gardeners'));
    assert.deepEqual(await labels(own, 'qzqzqz'), []);
  });

  it('leads to the pages of the repository that one is in, as far as one may open them', async () => {
    const pages = Object.fromEntries(await offered(own, 'new issue', 'alice/secret-garden/src/branch/main'));
    assert.equal(pages['New issue'], '/alice/secret-garden/issues/new/choose');
    assert.equal(
      Object.fromEntries(await offered(own, 'branch prot', 'alice/open-field'))['Branch protection'],
      '/alice/open-field/settings/branches',
    );
    assert.ok(!(await labels(stranger, 'branch prot', 'alice/open-field')).includes('Branch protection'));
    assert.ok(!(await labels(nobody, 'new issue', 'alice/open-field')).includes('New issue'));
    assert.ok((await labels(own, '')).includes('Security'));
    assert.ok(!(await labels(own, 'audit')).includes('Audit log'));
  });

  it('finds issues by number and by words, and escapes what people wrote', async () => {
    assert.deepEqual(await offered(own, '#1', 'alice/open-field/issues'), [['#1 Mow the meadow', '/alice/open-field/issues/1']]);
    assert.equal((await offered(own, 'meadow'))[0]?.[1], '/alice/open-field/issues/1');
    const { text } = await own.get('/-/palette?q=roses');
    assert.match(text, /#1 Water &lt;img src=x/);
  });

  it('shows nothing private to strangers', async () => {
    for (const browser of [stranger, nobody])
      for (const [q, at] of [
        ['secret', ''],
        ['gardeners', ''],
        ['roses', ''],
        ['roses', 'alice/secret-garden'],
        ['#1', 'alice/secret-garden'],
        ['', 'alice/secret-garden'],
      ] as const) {
        const { text } = await browser.get(`/-/palette?${new URLSearchParams({ q, at })}`);
        assert.doesNotMatch(text, /secret-garden|gardeners|roses/i, `${q} ${at}`);
      }
  });

  it('takes whatever is typed, and answers within bounds', async () => {
    for (const q of ['x'.repeat(5000), '%_\\', '#99999999999', "'; --", '<b>', ',,,'])
      assert.ok((await offered(own, q, '../../x/'.repeat(100))).length <= 20);
  });

  it('is a plain link without scripts, beside a page of keys', async () => {
    const { text } = await own.get('/');
    assert.match(text, /<a class="plain palette-link" href="\/explore\/repos"/);
    assert.match((await nobody.get('/-/shortcuts')).text, /<kbd>Ctrl<\/kbd> <kbd>K<\/kbd>/);
  });
});

describe('letters in a text', () => {
  it('count most at the beginning of words and in a row', () => {
    const best = (typed: string, ...texts: string[]) =>
      texts.sort((a, b) => (fuzzyScore(b, typed) ?? -1) - (fuzzyScore(a, typed) ?? -1))[0];
    assert.equal(best('np', 'snapshot', 'New pull request'), 'New pull request');
    assert.equal(best('set', 'assets', 'Settings'), 'Settings');
    assert.equal(best('copse', 'clops/e', 'me/copse'), 'me/copse');
    assert.equal(fuzzyScore('abc', 'cb'), undefined);
  });
});
