// On SQLite alone: what a browser does with pages that are tested elsewhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { violations } from './violations.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'meadow', auto_init: true });

/** Bytes of all scripts of a page, compressed. */
const SCRIPT_BUDGET = 15 * 1024;

describe('the palette and the keys in a real browser', { skip: withoutChromium }, () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const scripts = new Map<string, number>();
  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      // Of a response that a navigation has overtaken there is no body any more.
      const body = pathname.endsWith('.js') ? await response.body().catch(() => undefined) : undefined;
      if (body) scripts.set(pathname, brotliCompressSync(body).length);
    });
    await page.goto(`${t.url}user/login`);
    await page.fill('[name=user_name]', 'alice');
    await page.fill('[name=password]', PASSWORD);
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
  });
  after(() => browser?.close());

  it('opens by Ctrl-K, follows what is typed, and goes there', async () => {
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette li[aria-selected=true]');
    assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'combobox');
    await page.keyboard.type('meadow');
    await page.locator('.palette li[aria-selected=true]', { hasText: 'alice/meadow' }).waitFor();
    const active = await page.getAttribute('.palette input', 'aria-activedescendant');
    assert.equal(active, await page.getAttribute('.palette li[aria-selected=true]', 'id'));
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(new URL(page.url()).pathname, '/alice/meadow');
  });

  it('takes what is typed while its script is on the way, and opens what that finds', async () => {
    await page.goto(`${t.url}alice/meadow/issues`);
    const script = '**/palette.js*';
    const { promise: typed, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(script, async (route) => {
      await typed;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    // On their own these keys lead to the new issue, and into the search.
    await page.keyboard.type('c/meadow');
    assert.equal(new URL(page.url()).pathname, '/alice/meadow/issues');
    assert.equal(await page.inputValue('.palette input'), 'c/meadow');
    await page.fill('.palette input', 'alice/meadow');
    letGo();
    await page.waitForSelector('.palette ul');
    await Promise.all([page.waitForURL('**/alice/meadow'), page.keyboard.press('Enter')]);
    await page.unroute(script);
  });

  it('lists the keys of the page by ?, and closes by Escape', async () => {
    await page.goto(`${t.url}alice/meadow/issues`);
    await page.keyboard.press('?');
    await page.waitForSelector('.shortcut-list');
    assert.match(await page.innerText('.shortcut-list'), /On this page\s+g c\s+Code\s+g i\s+Issues[\s\S]*\bc\s+New issue/);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.shortcut-list', { state: 'detached' });
    assert.deepEqual(problems, []);
  });

  it('offers the names of branches once a field for one has the focus', async () => {
    await page.goto(`${t.url}alice/meadow/pulls/new`);
    await page.focus('[name=base]');
    await page.waitForSelector('#f-base-names option[value=main]', { state: 'attached' });
    await page.focus('[name=head]');
    await page.waitForSelector('#f-head-names option[value=main]', { state: 'attached' });
  });

  it('keeps the scripts of a page small', async () => {
    scripts.clear();
    await page.goto(`${t.url}alice/meadow/issues/new`);
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette li');
    const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(scripts.size >= 4 && bytes < SCRIPT_BUDGET, `${bytes} bytes in ${[...scripts.keys()]}`);
  });
});
