// On SQLite alone: what a browser does with a page that is tested elsewhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { testServer } from '../support/server.ts';

const LINES = 4_500;
const PATH = 'alice/long/src/branch/main/long.ts';
const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'long', auto_init: true, default_branch: 'main' });
const source = Array.from({ length: LINES }, (_, index) => `const a${index + 1} = '</noscript><b>'; // ${index + 1}\n`).join('');
await alice.must('POST', '/repos/alice/long/contents/long.ts', { content: Buffer.from(source).toString('base64'), message: 'Add' });

describe('a long file in a real browser', { skip: withoutChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  it('is shown at the line that the URL names, with all its lines, and marks a range that begins far away', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}${PATH}#L4100-L4102`);
    await page.locator('#L4100.marked').waitFor();
    const top = await page.locator('#L4100').evaluate((line) => line.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 720, String(top));
    await page.waitForFunction(`document.querySelectorAll('.source [data-n]').length === ${LINES}`);
    assert.equal(await page.locator('.source .marked').count(), 3);
    assert.equal(await page.locator('.source noscript, .source b').count(), 0);
    assert.equal(await page.locator(`#L${LINES} code`).textContent(), `const a${LINES} = '</noscript><b>'; // ${LINES}\n`);
    await page.close();
  });

  it('has all its lines as soon as the browser is asked to search them', async () => {
    const page = await browser.newPage();
    // The page never has the time to make lines by itself.
    await page.addInitScript('window.requestIdleCallback = () => {}');
    await page.goto(`${t.url}${PATH}`);
    const finds = () => page.evaluate(`window.find('const a${LINES}', true)`);
    assert.equal(await finds(), false);
    await page.keyboard.press('Control+F');
    assert.equal(await finds(), true);
    assert.equal(await page.locator('.source [data-n]').count(), LINES);
    await page.close();
  });

  it('has all its lines without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${t.url}${PATH}?lines=4100-4102#L4100`);
    assert.equal(await page.locator('.source [data-n]').count(), LINES);
    assert.ok(await page.locator('#L4101.marked').isVisible());
    await context.close();
  });
});
