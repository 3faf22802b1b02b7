import { escapeHtml } from './html/escape.ts';
import type { Heading } from './process.ts';

/** The headings as nested lists in a folded block. */
export function contentsList(headings: readonly Heading[], title = 'Table of Contents'): string {
  const base = Math.min(6, ...headings.map(({ level }) => level));
  let html = `<details><summary>${escapeHtml(title)}</summary>\n<ul>\n`;
  let level = base;
  for (const heading of headings) {
    for (; level < heading.level; level++) html += '<ul>\n';
    for (; level > heading.level; level--) html += '</ul>\n';
    html += `<li><a href="#${escapeHtml(heading.anchor)}">${escapeHtml(heading.text)}</a></li>\n`;
  }
  for (; level > base; level--) html += '</ul>\n';
  return `${html}</ul>\n</details>\n`;
}
