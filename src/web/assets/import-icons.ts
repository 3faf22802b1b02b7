/**
 * Writes the icons of the pages as one sprite, from the development dependency @primer/octicons (MIT, GitHub, Inc.):
 * `npm run import:icons`
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ICON_NAMES } from './icon-names.ts';

const octicons = createRequire(import.meta.url)('@primer/octicons') as Record<
  string,
  { heights: Record<string, { width: number; path: string }> } | undefined
>;

const symbols = ICON_NAMES.map((name) => {
  const drawing = octicons[name]?.heights['16'];
  if (!drawing) throw new Error(`no icon ${name}`);
  return `<symbol id="${name}" viewBox="0 0 ${drawing.width} 16">${drawing.path}</symbol>`;
});
writeFileSync(
  new URL('icons.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n').replaceAll('></path>', '/>')}\n</svg>\n`,
);
