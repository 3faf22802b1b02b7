// On SQLite alone: what a browser does with a page that is tested elsewhere.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'meadow', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/repos/alice/meadow/contents/src/counting.ts', { content: 'eA==', message: 'Count' });

it('opens the first file that is found by Enter, however fast that comes', { skip: withoutChromium }, async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`${t.url}alice/meadow/find/branch/main`);
    await page.fill('[data-find]', 'counting');
    await page.press('[data-find]', 'Enter');
    await page.waitForURL('**/alice/meadow/src/branch/main/src/counting.ts');
    await page.goto(`${t.url}alice/meadow/find/branch/main?q=nothing-like-this`);
    await page.press('[data-find]', 'Enter');
    assert.match(await page.innerText('main'), /No file|nothing|Nothing|found/);
  } finally {
    await browser.close();
  }
});
