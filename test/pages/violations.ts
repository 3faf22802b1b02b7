import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** All rules that axe-core has on by itself, best practices among them, and the one for small targets, which it has off. */
const ALL_RULES = { rules: { 'target-size': { enabled: true } } };
/** Those that another look of the same page can break. */
const LOOK_RULES = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Ways in which systems have pages shown, beside the one that a page was opened in. */
const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'more contrast': { colorScheme: 'light', contrast: 'more' },
  'more contrast, dark': { colorScheme: 'dark', contrast: 'more' },
  'forced colours': { forcedColors: 'active' },
} as const;
type Look = keyof typeof LOOKS;
const ALL_LOOKS = Object.keys(LOOKS) as Look[];
/** Those that differ most from how pages are opened, where there is no time for all. */
export const FEW_LOOKS: readonly Look[] = ['dark', 'forced colours'];
const DARK = "matchMedia('(prefers-color-scheme: dark)').matches";

interface Found {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds wrong with a page, a line for each. It is evaluated by the debugger, which the policy of the page does not concern. */
export async function violations(page: Page, looks: readonly Look[] = ALL_LOOKS): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const isDark = await page.evaluate(DARK);
  const lines = await run(page, 'as it is', ALL_RULES);
  for (const look of looks) {
    await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'none', ...LOOKS[look] });
    lines.push(...(await run(page, look, LOOK_RULES)));
  }
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', contrast: 'no-preference', forcedColors: 'none' });
  return lines;
}

async function run(page: Page, look: string, options: object): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Found[] };
  return violations.flatMap((found) => linesOf(look, found));
}

function linesOf(look: string, { id, help, nodes }: Found): string[] {
  return nodes
    .slice(0, 3)
    .map(
      ({ html, failureSummary }) => `${look}: ${id}: ${help}: ${html.slice(0, 160)}: ${failureSummary.replaceAll('\n', ' ').slice(0, 200)}`,
    );
}
