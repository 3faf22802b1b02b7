import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Browser as PlainBrowser } from '../../support/browser.ts';
import { launchChromium, withoutChromium } from '../../support/chromium.ts';
import type { TestServer } from '../../support/server.ts';
import { FEW_LOOKS, violations } from '../violations.ts';
import { Hands, type Manner } from './hands.ts';

/** A piece of daily work, from one page to the next. */
export interface Journey {
  readonly name: string;
  /** Who is signed in; nobody when left out. */
  readonly as?: { readonly name: string; readonly password: string };
  /** Whether every run of the tests plays it, with scripts and without. */
  readonly isMain?: boolean;
  /** Whether it is about what scripts add. */
  readonly needsScripts?: boolean;
  /** @param key another one each time, for the names of what it makes */
  readonly play: (hands: Hands, key: string) => Promise<void>;
}

/** The machine may be busy. */
const TIMEOUT_MS = 120_000;
/** Characters of a page that an error shows. */
const MAX_SHOWN = 1500;
const ALL: readonly Manner[] = ['scripts', 'plain', 'keys'];
/** `all-journeys.ts` sets it: every journey in every manner. */
const isWhole = process.env.COPSE_TEST_JOURNEYS === 'all';

/** Plays journeys in one browser against one server. During any of them no error is logged, and axe-core finds nothing on a page. */
export function playJourneys(title: string, t: TestServer, journeys: readonly Journey[]): void {
  describe(title, { skip: withoutChromium }, () => {
    let browser: Browser;
    const seen = new Set<string>();
    before(async () => {
      browser = await launchChromium();
    });
    after(() => browser?.close());

    for (const journey of journeys) {
      for (const manner of ALL.filter((manner) => isPlayed(journey, manner)))
        it(`${journey.name} (${manner})`, async () => {
          const context = await openContext(browser, t, journey, manner);
          const page = await context.newPage();
          const problems = watch(page);
          const look = async () => {
            // What axe-core is written in needs scripts.
            if (manner !== 'plain') await lookOnce(page, seen);
          };
          try {
            await journey.play(new Hands(page, manner, { url: t.url, look }), manner);
          } catch (error) {
            throw new Error(await whereItStopped(page, problems), { cause: error });
          }
          assert.deepEqual(problems, []);
          await context.close();
        });
    }
  });
}

function isPlayed({ isMain, needsScripts }: Journey, manner: Manner): boolean {
  if (manner === 'plain' && needsScripts) return false;
  return isWhole || (isMain === true && manner !== 'keys');
}

async function openContext(browser: Browser, t: TestServer, { as }: Journey, manner: Manner): Promise<BrowserContext> {
  const context = await browser.newContext({ javaScriptEnabled: manner !== 'plain', locale: 'en-US' });
  context.setDefaultTimeout(TIMEOUT_MS);
  if (!as) return context;
  const signedIn = new PlainBrowser(t.url);
  await signedIn.signIn(as.name, as.password);
  await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url: t.url })));
  return context;
}

/** What goes wrong on a page: errors of scripts, of requests, and of the policy. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  return problems;
}

/** The page on which a journey stopped, in short. */
async function whereItStopped(page: Page, problems: readonly string[]): Promise<string> {
  const text = await page.innerText('main', { timeout: 1000 }).catch(() => '');
  return [`at ${page.url()}`, ...problems, text.replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN)].join('\n');
}

/** Looks for violations where no page of this kind has been looked at. */
async function lookOnce(page: Page, seen: Set<string>): Promise<void> {
  const kind = new URL(page.url()).pathname.replaceAll(/[0-9a-f]{8,}|\d+|-(?:scripts|keys)/g, '*');
  if (seen.has(kind)) return;
  seen.add(kind);
  assert.deepEqual(await violations(page, isWhole ? undefined : FEW_LOOKS), [], page.url());
}
