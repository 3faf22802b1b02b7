import { escapeHtml } from '../../text/escape-html.ts';
import type { Block, BlockParser } from './block-parser.ts';
import { readHeadline } from './headline.ts';
import { inlineHtml } from './inline.ts';
import type { Line } from './lines.ts';

/** A headline with all that is below it. */
export function headline(parser: BlockParser, start: number, end: number, line: Line): Block {
  const level = (line.parts[1] ?? '').length;
  const next = parser.skip(start + 1, end, (other) => other.kind !== 'headline' || (other.parts[1] ?? '').length > level);
  const document = parser.document;
  const heading = readHeadline(line.content, document);
  const properties = propertiesAt(parser, start + 1, next);
  const hidden = (document.settings.get('EXCLUDE_TAGS') ?? '').split(/\s+/);
  if (heading.comment || heading.tags.some((tag) => hidden.includes(tag))) return { html: '', next };
  document.headlines++;
  const id = escapeHtml(properties.id ?? `headline-${document.headlines}`);
  const title = inlineHtml(heading.title, document);
  document.outline.push({ level, id, title: title.replace(/<\/?a[^>]*>/g, '') });
  const tag = `h${Math.min(level + 1, 8)}`;
  let html = `<div id="outline-container-${id}">\n<${tag} id="${id}">\n`;
  if (heading.status && document.option('todo') !== 'nil') html += `<span>${escapeHtml(heading.status)}</span>\n`;
  if (heading.priority && document.option('pri') !== 'nil') html += `<span>[${heading.priority}]</span>\n`;
  html += title;
  if (heading.tags.length && document.option('tags') !== 'nil') {
    html += `\u00a0\u00a0\u00a0<span>${heading.tags.map((name) => `<span>${escapeHtml(name)}</span>`).join('\u00a0')}</span>`;
  }
  const content = parser.blocks(properties.next, next, 0);
  html += `\n</${tag}>\n${content && `<div id="outline-text-${id}">\n${content}</div>\n`}</div>\n`;
  return { html, next };
}

/** The property drawer that begins at `start`, if one does, and where the text goes on. */
function propertiesAt(parser: BlockParser, start: number, end: number): { id?: string | undefined; next: number } {
  if (parser.lines[start]?.kind !== 'drawer' || parser.lines[start]?.content.toUpperCase() !== 'PROPERTIES' || start >= end)
    return { next: start };
  const close = parser.skip(start + 1, end, ({ kind }) => kind !== 'drawerEnd');
  if (close === end) return { next: start };
  const id = parser.lines.slice(start, close).map(({ source }) => /^\s*:CUSTOM_ID:\s+(\S.*)$/i.exec(source)?.[1]?.trim());
  return { id: id.find(Boolean), next: close + 1 };
}
