import type { MarkdownIt, Token } from 'markdown-it';
import { RenderLimitError } from '../deadline.ts';
import { envOf } from './env.ts';

/** Blocks within blocks go no deeper. */
export const MAX_NESTING = 100;

/** What tells the direction of its text when a quote begins with it, besides paragraphs, which always do. */
const DIRECTED_IN_QUOTES = new Set([
  'heading_open',
  'blockquote_open',
  'bullet_list_open',
  'ordered_list_open',
  'table_open',
  'dl_open',
  'hr',
]);

/** Small differences of the written HTML: text direction of paragraphs and outer lists, `align` of cells, breaks of lines. */
export function structure(md: MarkdownIt): void {
  // The parser drops what is deeper; better to show the text as it is.
  md.core.ruler.after('block', 'nesting', (state) => {
    if (state.tokens.some((token) => token.level >= MAX_NESTING - 1)) throw new RenderLimitError('nested too deep');
  });
  md.core.ruler.push('direction', (state) => {
    let lists = 0;
    let previous: Token | undefined;
    for (const token of state.tokens) {
      if (previous?.type === 'blockquote_open' && DIRECTED_IN_QUOTES.has(token.type)) token.attrSet('dir', 'auto');
      previous = token;
      if (token.type === 'paragraph_open') token.attrSet('dir', 'auto');
      else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') lists--;
      else if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') {
        if (lists++ === 0) token.attrSet('dir', 'auto');
      } else if (token.type === 'th_open' || token.type === 'td_open') alignCell(token);
    }
  });
  // What renders itself begins a line of its own in a tight list item, too.
  for (const name of ['fence', 'code_block', 'html_block', 'math_block']) {
    const rule = md.renderer.rules[name];
    if (!rule) continue;
    md.renderer.rules[name] = (tokens, index, ...rest) => (tokens[index - 1]?.hidden ? '\n' : '') + rule(tokens, index, ...rest);
  }
  // A quote with attributes begins on the line of what is in it.
  md.renderer.rules.blockquote_open = (tokens, index, options, _env, self) =>
    self.renderToken(tokens, index, options).trimEnd() + (tokens[index]?.attrs ? '' : '\n');
  md.renderer.rules.softbreak = (_tokens, _index, _options, env) => (envOf(env).hardBreaks ? '<br>\n' : '\n');
  tableRows(md);
}

/** The line under the heads of a table; containers may begin it. */
const DELIMITERS = /[-:][\s|:-]*$/;

/** The lines of a table are those of a paragraph, so that one that is indented like code is a row, too. */
function tableRows(md: MarkdownIt): void {
  const table = md.block.ruler.getRules('').find(({ name }) => name === 'table');
  if (!table) throw new Error('the parser reads no tables');
  md.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      const next = startLine + 1;
      if (next >= endLine || !DELIMITERS.test(state.src.slice(state.bMarks[next], state.eMarks[next]))) return false;
      const indents: [line: number, indent: number][] = [];
      for (let line = next; line < endLine && !state.isEmpty(line); line++) {
        const indent = state.sCount[line] ?? 0;
        if (indent - state.blkIndent < 4) continue;
        indents.push([line, indent]);
        state.sCount[line] = state.blkIndent + 3;
      }
      const made = table(state, startLine, endLine, silent);
      for (const [line, indent] of indents) state.sCount[line] = indent;
      return made;
    },
    { alt: ['paragraph', 'reference'] },
  );
}

function alignCell(token: Token): void {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (align) token.attrs = [['align', align]];
}
