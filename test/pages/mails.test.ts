// On SQLite alone: what a browser does with pages that are tested elsewhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { mailbox } from '../support/mailbox.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { testSettings } from '../support/settings.ts';
import { FEW_LOOKS, violations } from './violations.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>' },
  registration: { ...testSettings().registration, confirmEmail: true },
});
const NEW_PASSWORD = 'Another-456-def';

describe('the ways through mails in a real browser', { skip: withoutChromium }, () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.on('pageerror', (error) => problems.push(error.message));
  });
  after(() => browser?.close());

  const press = (selector = 'main button.primary') => Promise.all([page.waitForNavigation(), page.click(selector)]);
  const open = async (path: string) => {
    await page.goto(new URL(path, t.url).href);
    await look();
  };
  /** Nothing is wrong with the page, and nothing is wider than a phone. */
  const look = async () => {
    assert.deepEqual(await violations(page, FEW_LOOKS), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, page.url());
  };
  const linkTo = async (path: string) => {
    await t.settled();
    return box.link('hanna@example.com', path);
  };
  const signIn = async (password: string) => {
    await open('user/login');
    await page.fill('[name=user_name]', 'hanna');
    await page.fill('[name=password]', password);
    await press('main form button');
  };

  it('registers, confirms the address, and signs in', async () => {
    await open('user/sign_up');
    const typed = { user_name: 'hanna', email: 'hanna@example.com', password: PASSWORD, retype: PASSWORD };
    for (const [name, value] of Object.entries(typed)) await page.fill(`[name=${name}]`, value);
    await press('main form button');
    await look();
    assert.match(await page.innerText('main'), /Open the link/);
    await open(await linkTo('user/activate'));
    await press('main form button');
    await look();
    assert.equal(await page.locator(`img[alt='@hanna']`).count(), 1, 'the link signs in');
  });

  it('sets a new password by a mail, and signs in with that alone', async () => {
    await page.context().clearCookies();
    await open('user/forgot_password');
    await page.fill('[name=email]', 'hanna@example.com');
    await press('main form button');
    await look();
    await open(await linkTo('user/recover_account'));
    await page.fill('[name=password]', NEW_PASSWORD);
    const again = page.locator('[name=retype]');
    if ((await again.count()) > 0) await again.fill(NEW_PASSWORD);
    await press('main form button');
    await look();
    await page.context().clearCookies();
    await signIn(PASSWORD);
    assert.match(await page.innerText('main'), /wrong|incorrect|not right/);
    await signIn(NEW_PASSWORD);
    assert.equal(await page.locator(`img[alt='@hanna']`).count(), 1);
    assert.deepEqual(problems, []);
  });
});
