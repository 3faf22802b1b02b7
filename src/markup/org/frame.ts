import type { OrgDocument } from './document.ts';
import { inlineHtml } from './inline.ts';

/** The title of the document, if it has one. */
export function titleHtml(document: OrgDocument): string {
  const text = document.settings.get('TITLE');
  return text && document.option('title') !== 'nil' ? `<h1>${inlineHtml(text, document)}</h1>\n` : '';
}

/** The headlines as nested lists. */
export function outlineHtml(document: OrgDocument): string {
  const option = document.option('toc');
  const deepest = Number(option) || Number.POSITIVE_INFINITY;
  const shown = document.outline.filter(({ level }) => level <= deepest);
  if (option === 'nil' || shown.length === 0) return '';
  let html = '<nav>\n<ul>\n';
  const open: number[] = [];
  for (const { level, id, title } of shown) {
    let within = open.at(-1);
    if (within !== undefined && level > within) html += '<ul>\n';
    for (; within !== undefined && level <= within; within = open.at(-1)) {
      open.pop();
      html += '</li>\n';
      const outer = open.at(-1);
      if (outer !== undefined && level <= outer) html += '</ul>\n';
    }
    html += `<li><a href="#${id}">${title}</a>\n`;
    open.push(level);
  }
  while (open.pop() !== undefined) html += open.length ? '</li>\n</ul>\n' : '</li>\n';
  return `${html}</ul>\n</nav>\n`;
}

/** The footnotes at the end of the document. */
export function footnotesHtml(document: OrgDocument): string {
  const notes = document.footnotes();
  if (notes.length === 0 || document.option('f') === 'nil') return '';
  const html = notes.map(
    ({ number, html }) =>
      `<div>\n<sup id="footnote-${number}"><a href="#footnote-reference-${number}">${number}</a></sup>\n<div>\n${html}</div>\n</div>\n`,
  );
  return `<div>\n<hr>\n<div>\n${html.join('')}</div>\n</div>\n`;
}
