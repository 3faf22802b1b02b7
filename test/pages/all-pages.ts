/**
 * Follows the links of a server and looks at one page of each kind: what axe-core finds in all looks, errors of the console, and pages that
 * are wider than a phone. It only reads: `node test/pages/all-pages.ts --url http://127.0.0.1:3000/ --user name:password owner/repo`
 */
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { signIn } from './sign-in.ts';
import { violations } from './violations.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000/' },
    user: { type: 'string' },
    most: { type: 'string', default: '400' },
  },
});
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** What leads to no page, or out of the session. */
const NO_PAGE =
  /^\/(?:api|assets|avatars|attachments|user\/(?:logout|events))\b|\/(?:raw|media|archive|rss|render)\/|\.(?:rss|atom|diff|patch|bundle|svg|png)$/;
/** Names of parameters that change what is listed, but not how. */
const SAME_FORM =
  /^(?:page|sort|limit|q|state|type|labels|label|milestone|assignee|poster|mentioned|project|archived|fork|mirror|private|template)$/;

/** Leaves the first and the last of what there is often, such as lines of differences: axe-core would compare each with all others, for hours. */
const SHORTEN = `for (const { children } of document.querySelectorAll('body, body :not(.cm-editor, .cm-editor *)'))
  for (const child of [...children].slice(15, -5)) child.remove();`;

const seen = new Set<string>();
const asked = [...positionals, ''].map((path) => new URL(path, values.url).href);
const waiting = [...asked];
const browser = await launchChromium();
const page = await browser.newPage({ viewport: DESK });
page.on('console', (message) => message.type() === 'error' && console.log(`${page.url()}: ${message.text()}`));
page.on('pageerror', (error) => console.log(`${page.url()}: ${error.message}`));
if (values.user) await signIn(page, values.url, values.user);
let pages = 0;
let found = 0;
for (let url = waiting.shift(); url !== undefined && pages < Number(values.most); url = waiting.shift()) {
  const kind = kindOf(new URL(url));
  if (seen.has(kind) && !asked.includes(url)) continue;
  seen.add(kind);
  // What is downloaded is not a page; anything else that does not come has to be said, or a server that is gone would have no faults.
  const response = await page.goto(url).catch((error: Error) => {
    if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
    return null;
  });
  if (!response?.headers()['content-type']?.startsWith('text/html')) continue;
  pages++;
  waiting.push(...(await linksOf(page)));
  const wider = await onPhone(page);
  await page.evaluate(SHORTEN);
  for (const line of [...(response.ok() ? [] : [`answers ${response.status()}`]), ...wider, ...(await violations(page))]) {
    console.log(`${url}: ${line}`);
    found++;
  }
}
await browser.close();
console.log(`${pages} kinds of pages, ${found} findings`);
process.exitCode = found > 0 ? 1 : 0;

/** Pages that differ by a number, an id, the repository, the file, what is compared or listed are of one kind; only views of files differ by their ending. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname
    .replaceAll(/[0-9a-f]{10,}|\d+/g, '*')
    .replace(/^\/(?!(?:-|explore|issues|login|milestones|notifications|org|pulls|repo|user)\/)[^/]+(\/(?!-)[^/]+)?/, (_, name) =>
      name ? '/*/*' : '/*',
    )
    .replace(/\/src\/(branch|tag|commit)\/.*?(\.\w+)?$/, '/src/*$2')
    .replace(/\/(branch|tag)\/.*$/, '/$1/*')
    .replace(/\/(commits|blame|find)\/commit\/.*$/, '/$1/commit/*')
    .replace(/\/compare\/.*$/, '/compare/*');
  return `${path}?${[...new Set(searchParams.keys())].filter((name) => !SAME_FORM.test(name)).sort()}`;
}

async function onPhone(page: Page): Promise<string[]> {
  await page.setViewportSize(PHONE);
  const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  await page.setViewportSize(DESK);
  return wider > 0 ? [`${wider} pixels wider than a phone`] : [];
}

/** The menu of branches leads to the same path in each, which may not be there. */
async function linksOf(page: Page): Promise<string[]> {
  const links = (await page.evaluate(
    '[...document.querySelectorAll("a[href]:not(details.menu.left a)")].map(({ href }) => href)',
  )) as string[];
  const { origin } = new URL(values.url);
  return links
    .map((link) => link.replace(/#.*/, ''))
    .filter(
      (link) => URL.canParse(link) && !asked.includes(link) && new URL(link).origin === origin && !NO_PAGE.test(new URL(link).pathname),
    );
}
