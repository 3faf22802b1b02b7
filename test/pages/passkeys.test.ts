// On SQLite alone: what a browser and its authenticator do, however the rows are kept.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { freePorts } from '../support/free-ports.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { violations } from './violations.ts';

// Browsers take no passkeys for addresses in numbers.
const [port = 0] = await freePorts(1);
const here = `http://localhost:${port}/`;
const t = await testServer({ server: { port, rootUrl: here } });
await t.user('alice');

describe('passkeys in a real browser', { skip: withoutChromium }, () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    });
  });
  after(() => browser?.close());

  const signOut = async () => {
    await page.goto(`${here}user/logout`);
    await press('main button');
  };
  const press = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  const typePassword = async () => {
    await page.goto(`${here}user/login`);
    await page.fill('[name=user_name]', 'alice');
    await page.fill('[name=password]', PASSWORD);
    await press('main button');
  };

  it('adds one, and signs in with it: alone and after the password', async () => {
    await typePassword();
    await page.goto(`${here}user/settings/security`);
    await page.fill('[data-passkey] [name=name]', 'this laptop');
    await press('[data-passkey] button');
    assert.match(await page.innerText('.settings'), /this laptop/);
    assert.deepEqual(await violations(page), []);

    await signOut();
    await page.goto(`${here}user/login`);
    await press('[data-passkey] button');
    await page.goto(`${here}user/settings/security`);
    assert.match(await page.innerText('.settings'), /last used/);

    await signOut();
    await typePassword();
    assert.equal(await page.locator('[name=code]').count(), 0);
    await press('[data-passkey] button');
    await page.goto(`${here}user/settings/security`);
    assert.match(await page.innerText('h1'), /Security/);
    assert.deepEqual(problems, []);
  });

  it('says what the server refuses, and does not add the same device twice', async () => {
    await page.goto(`${here}user/settings/security`);
    await page.fill('[data-passkey] [name=name]', 'this laptop');
    await page.click('[data-passkey] button');
    await page.waitForSelector('[data-passkey] [role=alert]:not([hidden])');
    assert.match(await page.innerText('[data-passkey] [role=alert]'), /passkey with this name/);
    await page.fill('[data-passkey] [name=name]', 'again');
    await page.click('[data-passkey] button');
    await page.locator('[data-passkey] [role=alert]', { hasText: 'already be registered' }).waitFor();
    assert.deepEqual(problems, []);
  });

  it('renames one, and removes it', async () => {
    const manage = async () => {
      await page.goto(`${here}user/settings/security`);
      await page.click('.passkey-edit summary');
    };
    await manage();
    await page.fill('.passkey-edit [name=name]', 'old laptop');
    await press('.passkey-edit form button:not(.danger)');
    assert.match(await page.innerText('.settings'), /old laptop/);
    await manage();
    assert.deepEqual(await violations(page), []);
    await press('.passkey-edit button.danger');
    assert.doesNotMatch(await page.innerText('.settings'), /old laptop/);
    assert.deepEqual(problems, []);
  });
});
