import { accessSync, constants } from 'node:fs';
import type { Browser } from 'playwright-core';

const CANDIDATES = [process.env.COPSE_TEST_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that tests of pages run in; undefined where none is installed (`apt install chromium`). */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => path && isExecutable(path));

/** For `describe` and `it`: why a test of pages is skipped, or false. */
export const withoutChromium: string | false = chromiumPath === undefined && 'needs chromium (apt install chromium)';

/** Starts the browser. Loaded here, so that other tests do not wait for its library. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  // Root may not have the sandbox of the browser, and pages of our own need none.
  return chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
