import { accessSync, constants } from 'node:fs';
import type { Browser } from 'playwright-core';

const CANDIDATES = [process.env.COPSE_TEST_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that tests of pages run in; undefined where none is installed (`apt install chromium`). */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => path && isExecutable(path));

/** For `describe` and `it`: why a test of pages is skipped, or false. */
export const withoutChromium: string | false = chromiumPath === undefined && 'needs chromium (apt install chromium)';

/**
 * What the browser does not do. It heeds only the last list that it is given, so the first of these are those that Playwright names. The others
 * are pages of its own, for its address bar: they take half the processor time of a context.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** Starts the browser. Loaded here, so that other tests do not wait for its library. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  // Root may not have the sandbox of the browser, and pages of our own need none.
  const args = ['--no-sandbox', '--disable-gpu', `--disable-features=${DISABLED_FEATURES.join(',')}`];
  return chromium.launch({ executablePath: chromiumPath ?? '', args });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
