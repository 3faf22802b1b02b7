import { Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import type { LineRange } from './line-range.ts';

/** Lines that browsers lay out together, once they come near the window; `--lines` of the style sheet. */
const BLOCK = 200;

/** Lines that are sent together. */
const SENT = 10 * BLOCK;

/** Sources with more lines are not shown: a page has some sixty bytes for each line besides its text. */
const MAX_LINES = 100_000;

/** Whether a text has more lines than pages show. */
export function hasTooManyLines(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= MAX_LINES; at = text.indexOf('\n', at + 1)) lines++;
  return lines > MAX_LINES;
}

/** Splits a highlighted text into its lines, without an empty one at the end. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * A source with line numbers, sent in blocks, so that a page of 50,000 lines begins at once. A browser that runs scripts treats
 * `noscript` as text, which is cheap to parse; `lines.js` makes lines of it, a part at a time.
 * @param range the marked lines
 */
export async function* sourceView({ text }: View, lines: readonly string[], range?: LineRange): AsyncGenerator<Html> {
  yield html`<div class="source chroma" role="region" aria-label="${text.code.source}">`;
  for (let at = 0; at < lines.length; at += SENT) {
    const part = lines.slice(at, at + SENT);
    const blocks = blocksOf(part, at + 1, range).join('');
    yield new Html(at === 0 ? blocks : `<noscript data-from="${at + 1}" data-to="${at + part.length}">${blocks}</noscript>`);
  }
  yield html`</div>`;
}

function blocksOf(lines: readonly string[], first: number, range: LineRange | undefined): string[] {
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += BLOCK) {
    const block = lines.slice(at, at + BLOCK).map((line, index) => lineOf(first + at + index, line, range));
    blocks.push(`<div class="block${block.length === BLOCK ? ' full' : ''}">${block.join('')}</div>`);
  }
  return blocks;
}

/** A line with its anchor and its number, which the style sheet shows. @param line HTML of the highlighter */
export function lineOf(number: number, line: string, range?: LineRange): string {
  const marked = range && number >= range.from && number <= range.to ? ' class="marked"' : '';
  return `<div id="L${number}" data-n="${number}"${marked}><code>${line}\n</code></div>`;
}
