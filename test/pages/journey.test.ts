// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { violations } from './violations.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

describe('a day in a real browser', { skip: withoutChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const scripts of [true, false]) {
    it(`leads from an empty repository to a merged pull request, scripts ${scripts ? 'on' : 'off'}`, async () => {
      const name = scripts ? 'lively' : 'plain';
      const context = await browser.newContext({ javaScriptEnabled: scripts });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`));
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      const looksRight = async () => {
        // What axe-core is written in needs scripts.
        if (scripts) assert.deepEqual(await violations(page), [], page.url());
      };
      await signIn(page, 'alice');
      await page.goto(`${t.url}repo/create`);
      await page.fill('[name=name]', name);
      await page.check('[name=init]');
      await press(page, 'main button.primary');
      assert.equal(new URL(page.url()).pathname, `/alice/${name}`);
      await looksRight();
      await openIssue(page, name);
      await looksRight();
      await propose(name);
      await page.goto(`${t.url}alice/${name}/compare/main...change`);
      await looksRight();
      await press(page, 'a.button.primary.push');
      await page.fill('[name=title]', 'Say hello');
      await press(page, 'main button.primary');
      assert.match(new URL(page.url()).pathname, /\/pulls\/2$/);
      await looksRight();
      await page.goto(`${page.url()}/files`);
      await looksRight();
      await page.goto(`${t.url}alice/${name}/pulls/2`);
      await press(page, '.merge-box button.primary');
      assert.match(await page.innerText('.merge-box'), /is merged/);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${t.url}user/login`);
  await page.fill('[name=user_name]', name);
  await page.fill('[name=password]', PASSWORD);
  await press(page, 'main button');
}

/** Presses what leads to another page, and waits until that is there. */
async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

async function openIssue(page: Page, name: string): Promise<void> {
  await page.goto(`${t.url}alice/${name}/issues/new`);
  await page.fill('[name=title]', 'It does not say hello');
  await page.fill('[name=body]', 'It **should**.');
  await press(page, 'main button.primary');
  assert.match(await page.innerText('.timeline'), /It should\./);
}

/** A commit on a branch of its own, by somebody else. */
async function propose(name: string): Promise<void> {
  await alice.must('PUT', `/repos/alice/${name}/collaborators/bob`, { permission: 'write' });
  const content = Buffer.from('console.log("hello");\n').toString('base64');
  await bob.must('POST', `/repos/alice/${name}/contents/hello.js`, { content, message: 'Say hello', new_branch: 'change' });
}
