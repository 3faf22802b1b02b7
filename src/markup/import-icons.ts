/**
 * Writes the icons that pages and rendered texts show, from the development dependency @primer/octicons (MIT, GitHub, Inc.):
 * `npm run import:icons`
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const NAMES = [
  ...['alert', 'info', 'light-bulb', 'report', 'stop', 'table'],
  ...['issue-opened', 'issue-closed', 'git-merge', 'git-pull-request', 'git-pull-request-closed', 'git-pull-request-draft'],
];

const octicons = createRequire(import.meta.url)('@primer/octicons') as Record<
  string,
  { heights: Record<string, { width: number; path: string }> }
>;
const icons = Object.fromEntries(
  NAMES.map((name) => {
    const drawing = octicons[name];
    if (!drawing) throw new Error(`no icon ${name}`);
    return [name, Object.fromEntries(Object.entries(drawing.heights).map(([height, { width, path }]) => [height, { width, path }]))];
  }),
);
writeFileSync(new URL('icons.json', import.meta.url), `${JSON.stringify(icons, null, 2)}\n`);
