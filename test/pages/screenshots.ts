/**
 * Takes screenshots of pages in the light and the dark theme and at the width of a phone, and lists what axe-core finds wrong with them:
 * `node test/pages/screenshots.ts --url http://127.0.0.1:3000/ --user name:password --out /tmp/shots root/copse user/settings`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../support/chromium.ts';
import { signIn } from './sign-in.ts';
import { violations } from './violations.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000/' },
    user: { type: 'string' },
    out: { type: 'string', default: 'screenshots' },
  },
});
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

mkdirSync(values.out, { recursive: true });
const browser = await launchChromium();
let found = 0;
for (const { name, ...look } of LOOKS) {
  const context = await browser.newContext({ ...look, bypassCSP: false });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`${name}: ${page.url()}: ${message.text()}`));
  if (values.user) await signIn(page, values.url, values.user);
  for (const path of positionals) {
    await page.goto(new URL(path, values.url).href);
    await page.screenshot({ path: join(values.out, `${path.replaceAll(/[^\w.-]+/g, '_') || 'home'}-${name}.png`), fullPage: true });
    const wrong = await violations(page);
    for (const line of wrong) console.log(`${name} ${path}: ${line}`);
    found += wrong.length;
    const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(width) > 0) console.log(`${name} ${path}: ${width} pixels wider than the window`);
  }
  await context.close();
}
await browser.close();
console.log(`${found} violations`);
