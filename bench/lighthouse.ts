import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type BrowserContext, chromium } from 'playwright-core';
import { apiOf } from './call-api.ts';
import { seedPages } from './seed-pages.ts';

/**
 * `node bench/lighthouse.ts LIGHTHOUSE NAME:PASSWORD URL [URL…]`: what Lighthouse says of ten pages of each server, in turns, as somebody who
 * is signed in. LIGHTHOUSE is its program (`npm install lighthouse` in a folder of its own). A repository of 5,000 commits is made where it
 * is missing. A server can be Copse or Gitea, which have the same addresses.
 */
const [lighthouse = '', account = '', ...servers] = process.argv.slice(2);
if (!account.includes(':') || servers.length === 0 || !servers.every((url) => URL.canParse(url)))
  throw new Error('usage: node bench/lighthouse.ts LIGHTHOUSE NAME:PASSWORD URL [URL…]');

const NAME = 'bench-pages';
const CHROMIUM = '/usr/bin/chromium';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const FLAGS = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
const [owner = '', password = ''] = account.split(':');
const authorization = `Basic ${Buffer.from(account).toString('base64')}`;

/** What Lighthouse answers, as far as it is read. */
interface Report {
  readonly categories: Record<(typeof CATEGORIES)[number], { readonly score: number | null }>;
  readonly audits: Record<string, { readonly numericValue?: number }>;
}

interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string };
}

/** Makes the repository where it is missing. Returns the paths of the pages. */
async function pagesOf(url: string): Promise<string[]> {
  const call = apiOf(url, authorization);
  const own = `${owner}/${NAME}`;
  const isThere = await fetch(new URL(`/api/v1/repos/${own}`, url), { headers: { authorization } });
  if (!isThere.ok) {
    const remote = new URL(`/${own}.git`, url);
    [remote.username, remote.password] = [owner, password];
    await seedPages(call, owner, NAME, remote.href);
  }
  const [pull] = await call<Pull[]>('GET', `/repos/${own}/pulls`);
  if (!pull) throw new Error(`${url} has no pull request`);
  return [
    '',
    own,
    `${own}/src/branch/main/src/part1/file1.js`,
    `${own}/commits/branch/main`,
    `${own}/commit/${pull.head.sha}`,
    `${own}/issues`,
    `${own}/issues/1`,
    `${own}/pulls/${pull.number}`,
    `${own}/pulls/${pull.number}/files`,
    'explore/repos',
  ];
}

/** Signs in by the form. Returns the header with the cookies. */
async function signIn(context: BrowserContext, url: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(new URL('user/login', url).href);
  await page.fill('[name=user_name]', owner);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForNavigation(), page.press('[name=password]', 'Enter')]);
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function examine(address: URL, cookie: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    lighthouse,
    [
      address.href,
      '--output=json',
      '--quiet',
      '--preset=desktop',
      `--only-categories=${CATEGORIES.join(',')}`,
      `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
      `--chrome-flags=${FLAGS}`,
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM }, maxBuffer: MAX_REPORT_BYTES },
  );
  const { categories, audits } = JSON.parse(stdout) as Report;
  const scores = CATEGORIES.map((category) => String(Math.round((categories[category].score ?? 0) * 100)).padStart(4));
  const bytes = audits['total-byte-weight']?.numericValue ?? 0;
  const painted = audits['largest-contentful-paint']?.numericValue ?? 0;
  return `${scores.join(' ')}  ${(bytes / 1000).toFixed(0)} kB, painted after ${painted.toFixed(0)} ms`;
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(' ').slice(1) });
const signedIn = [];
for (const url of servers) signedIn.push({ url, pages: await pagesOf(url), cookie: await signIn(await browser.newContext(), url) });
await browser.close();

console.log(CATEGORIES.join(', '));
for (const [at, path] of (signedIn[0]?.pages ?? []).entries()) {
  console.log(`/${path}`);
  for (const { url, pages, cookie } of signedIn) console.log(`  ${await examine(new URL(pages[at] ?? '', url), cookie)}  ${url}`);
}
