import { escapeHtml } from '../../text/escape-html.ts';
import { highlight } from '../highlight.ts';
import { trustedClass } from '../html/trusted.ts';
import type { Block, BlockParser } from './block-parser.ts';
import type { OrgDocument } from './document.ts';
import { isBlank, type Line } from './lines.ts';

/** The line that ends the delimited block of line `start`. */
export function closing(parser: BlockParser, start: number, end: number, line: Line): number | undefined {
  const name = line.content.toUpperCase();
  const close = parser.skip(start + 1, end, (other) => other.kind !== 'blockEnd' || other.content.toUpperCase() !== name);
  return close === end ? undefined : close;
}

/** A block from `#+BEGIN_…` to `#+END_…`; undefined where it does not end. */
export function delimited(parser: BlockParser, start: number, end: number, line: Line): Block | undefined {
  const name = line.content.toUpperCase();
  const close = closing(parser, start, end, line);
  if (close === undefined) return undefined;
  const next = close + 1;
  const parameters = (line.parts[3] ?? '').trim().split(/\s+/);
  const exports = parameters[parameters.indexOf(':exports') + 1];
  const raw = () =>
    trimBlock(parser.lines.slice(start + 1, close).map(({ source }) => source.slice(Math.min(line.indent, source.search(/\S|$/)))));
  switch (name) {
    case 'SRC': {
      const language = parameters[0]?.toLowerCase() || 'text';
      const code = `<div>\n${codeHtml(parser.document, language === 'org' ? unescapeLines(raw()) : raw(), language)}\n</div>\n`;
      const result = resultOf(parser, next, end);
      const shown = parameters.includes(':exports') ? exports : 'both';
      const html = (shown === 'results' || shown === 'none' ? '' : code) + (shown === 'code' || shown === 'none' ? '' : result.html);
      return { html, next: result.next };
    }
    case 'EXAMPLE':
      return { html: `<pre>\n${escapeHtml(unescapeLines(raw()))}\n</pre>\n`, next };
    case 'EXPORT':
      return { html: parameters[0]?.toLowerCase() === 'html' ? `${raw()}\n` : '', next };
    case 'COMMENT':
      return { html: '', next };
    default: {
      const tag = name === 'QUOTE' ? 'blockquote' : 'div';
      return { html: `<${tag}>\n${parser.blocks(start + 1, close, line.indent)}</${tag}>\n`, next };
    }
  }
}

/** What running the code before `start` gave, if it is written there. */
function resultOf(parser: BlockParser, start: number, end: number): Block {
  const mark = parser.skip(start, end, isBlank);
  if (mark === end || parser.lines[mark]?.kind !== 'results') return { html: '', next: start };
  return mark + 1 < end ? parser.block(mark + 1, end, 0) : { html: '', next: mark + 1 };
}

function codeHtml(document: OrgDocument, source: string, language: string): string {
  let content: string | undefined;
  if (source.length <= Math.min(document.highlightMaxSize, document.highlightBudget)) {
    content = highlight(source, language);
    if (content !== undefined) document.highlightBudget -= source.length;
  }
  return `<pre><code${trustedClass(`chroma language-${language}`)}>${content ?? escapeHtml(source)}</code></pre>`;
}

const trimBlock = (lines: string[]): string => lines.join('\n').replace(/^\n+/, '').trimEnd();

/** Takes off the comma that keeps a line of an example from being read as Org. */
const unescapeLines = (text: string): string => text.replace(/^([ \t]*),([ \t]*(?:,?\*|,?#\+))/gm, '$1$2');
