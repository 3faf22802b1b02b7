import type { Token } from 'markdown-it';
import { escapeHtml } from '../../text/escape-html.ts';
import type { MarkupSettings } from '../context.ts';
import type { MarkdownEnv } from './env.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { markdownParser } from './parser.ts';

/** Characters of code that one text may have highlighted; more stays plain. */
const HIGHLIGHT_BUDGET = 100_000;

const DEFAULT_MATH = { inlineDollar: true, inlineParentheses: false, blockDollar: true, blockSquareBrackets: false };

/** Markdown as HTML that is not yet sanitized. */
export interface ParsedMarkdown {
  html: string;
  contents: FrontMatter['contents'];
}

/** Renders Markdown as unsanitized HTML. `hardBreaks`: whether a line end is a line break. */
export function parseMarkdown(source: string, hardBreaks: boolean, settings: MarkupSettings | undefined): ParsedMarkdown {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const front = readFrontMatter(text);
  const env = newEnv(hardBreaks, settings, front ? Buffer.byteLength(text.slice(0, front.length)) : 0);
  const body = markdownParser().render(front ? text.slice(front.length) : text, env);
  if (!front) return { html: body, contents: 'sidebar' };
  const html = front.html + body;
  return { html: front.language ? `<div lang="${escapeHtml(front.language)}">${html}</div>` : html, contents: front.contents };
}

/** The parser's tokens of a Markdown text without front matter, for reading data from it. Its texts keep their escapes. */
export function markdownTokens(source: string, settings: MarkupSettings | undefined): Token[] {
  return markdownParser().parse(source.replace(/\r\n?/g, '\n'), { ...newEnv(false, settings, 0), keepsEscapes: true });
}

function newEnv(hardBreaks: boolean, settings: MarkupSettings | undefined, offset: number): MarkdownEnv {
  const { math = DEFAULT_MATH, highlightMaxSize = HIGHLIGHT_BUDGET } = settings ?? {};
  const footnotes = { labels: new Map(), mentioned: [] };
  const budget = { highlightMaxSize, highlightBudget: HIGHLIGHT_BUDGET };
  return { hardBreaks, math, offset, ...budget, footnotes, descriptions: { open: [] }, keepsEscapes: false };
}
