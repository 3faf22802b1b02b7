import { escapeHtml } from '../../text/escape-html.ts';
import type { Block, BlockParser } from './block-parser.ts';
import { inlineHtml } from './inline.ts';
import { isBlank, type Line } from './lines.ts';

/** A `#+KEY: value` line: a setting, or what it adds to the block that follows. */
export function keyword(parser: BlockParser, start: number, end: number, line: Line, base: number): Block {
  const key = line.content.toUpperCase();
  const value = (line.parts[3] ?? '').trim();
  const document = parser.document;
  const [name = '', rest] = value.split(/\s+(.*)/s);
  if (key === 'MACRO' && rest) document.macros.set(name, rest);
  else if (key === 'LINK' && rest) document.links.set(name, rest);
  else if (key === 'HTML') return { html: `${value}\n`, next: start + 1 };
  else if (key === 'CAPTION' || key === 'ATTR_HTML') {
    return affiliated(parser, start, end, base) ?? { html: '', next: start + 1 };
  } else document.settings.set(key, document.settings.has(key) && key === 'OPTIONS' ? `${document.settings.get(key)} ${value}` : value);
  return { html: '', next: start + 1 };
}

/** What captions and attributes of HTML before a block add to it. */
function affiliated(parser: BlockParser, start: number, end: number, base: number): Block | undefined {
  const captions: string[] = [];
  let attributes = '';
  let i = start;
  for (; i < end && parser.lines[i]?.kind === 'keyword'; i++) {
    const line = parser.lines[i] as Line;
    const value = (line.parts[3] ?? '').trim();
    if (line.content.toUpperCase() === 'CAPTION') captions.push(inlineHtml(value, parser.document));
    else if (line.content.toUpperCase() === 'ATTR_HTML') {
      for (const [, name = '', text = ''] of value.matchAll(/:([-\w]+) +([^:]*(?::(?!\w)[^:]*)*)/g))
        attributes += ` ${name}="${escapeHtml(text.trim())}"`;
    } else return undefined;
  }
  if (i === end || isBlank(parser.lines[i])) return undefined;
  const block = parser.block(i, end, base);
  const alone = /^<p>((?:<a [^>]*>)?(?:<img [^>]*>|<video [^>]*>[^<]*<\/video>)(?:<\/a>)?)<\/p>\n$/.exec(block.html)?.[1] ?? block.html;
  const html = attributes ? `${alone.replace(/^<[^>]*?(?=\s*\/?>)/, (tag) => tag + attributes).trim()}\n` : alone;
  if (captions.length === 0) return { html, next: block.next };
  return { html: `<figure>\n${html}<figcaption>\n${captions.join(' ')}\n</figcaption>\n</figure>\n`, next: block.next };
}
