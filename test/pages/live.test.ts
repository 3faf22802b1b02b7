// On SQLite alone: what a browser does with changes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { violations } from './violations.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'pond', auto_init: true });
await alice.must('POST', '/repos/alice/pond/issues', { title: 'It is frozen' });

describe('an open page', { skip: withoutChromium }, () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${t.url}user/login`);
    await page.fill('[name=user_name]', 'alice');
    await page.fill('[name=password]', PASSWORD);
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
  });
  after(() => browser?.close());

  it('follows the state and the comments of an issue, and the number of notifications', async () => {
    const connected = page.waitForResponse((response) => response.url().includes('/user/events'));
    await page.goto(`${t.url}alice/pond/issues/1`);
    assert.equal((await connected).status(), 200);
    await bob.must('POST', '/repos/alice/pond/issues/1/comments', { body: 'Bring skates' });
    await page.locator('.live-hint', { hasText: '1 new comment, show' }).waitFor();
    await page.locator('.unread', { hasText: '1' }).waitFor();
    await alice.must('PATCH', '/repos/alice/pond/issues/1', { state: 'closed' });
    await page.locator('#issue-state', { hasText: 'Closed' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await Promise.all([page.waitForNavigation(), page.click('.live-hint button')]);
    assert.match(await page.innerText('.timeline'), /Bring skates/);
    assert.equal(await page.locator('.live-hint').count(), 0);
    assert.deepEqual(problems, []);
  });
});
