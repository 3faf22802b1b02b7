import { escapeHtml } from '../text/escape-html.ts';
import type { Heading } from './process.ts';

/** The headings as nested lists in a folded block. */
export function contentsList(headings: readonly Heading[], title = 'Table of Contents'): string {
  const base = Math.min(6, ...headings.map(({ level }) => level));
  let html = `<details><summary>${escapeHtml(title)}</summary>\n<ul>\n`;
  let level = base;
  const indent = () => '  '.repeat(level - base + 1);
  for (const heading of headings) {
    for (; level < heading.level; level++)
      html += `${indent()}<ul>
`;
    while (level > heading.level) {
      level--;
      html += `${indent()}</ul>
`;
    }
    html += `${indent()}<li><a href="#${escapeHtml(heading.anchor)}" rel="nofollow">${escapeHtml(heading.text)}</a></li>
`;
  }
  while (level > base) {
    level--;
    html += `${indent()}</ul>
`;
  }
  return `${html}</ul>\n</details>\n`;
}
