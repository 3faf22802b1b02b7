import type { MarkdownIt } from 'markdown-it';
import { escapeHtml } from '../../text/escape-html.ts';
import { trustedClass } from '../html/trusted.ts';
import { envOf } from './env.ts';

const ALPHANUMERIC = /[a-zA-Z0-9]/;
const PUNCTUATION = /[.!?,;:]/;
const AFTER = /^(?:[.!?,;:) \n$]|$)/;

/** Formulas: `$…$`, `$$…$$`, ``$`…`$``, and `\(…\)`, `\[…\]` where they are switched on. Pages draw them; here they stay text. */
export function math(md: MarkdownIt): void {
  md.inline.ruler.after('escape', 'math_inline', (state, silent) => {
    const found = inlineMath(state.src, state.pos, state.posMax, envOf(state.env).math);
    if (!found) return false;
    if (!silent) state.push('math_inline', 'code', 0).content = found.content;
    state.pos = found.end;
    return true;
  });
  // Before escapes, which would take the backslash of \( away.
  md.inline.ruler.before('escape', 'math_parentheses', (state, silent) => {
    if (!envOf(state.env).math.inlineParentheses || !state.src.startsWith('\\(', state.pos)) return false;
    const found = delimited(state.src, state.pos, state.posMax, 2, '\\)', true);
    if (!found) return false;
    if (!silent) state.push('math_inline', 'code', 0).content = found.content;
    state.pos = found.end;
    return true;
  });
  md.renderer.rules.math_inline = (tokens, index) => {
    const content = trimPair(tokens[index]?.content ?? '');
    return `<code${trustedClass('language-math')}>${escapeHtml(content)}</code>`;
  };
  md.block.ruler.before('fence', 'math_block', mathBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.renderer.rules.math_block = (tokens, index) => {
    const token = tokens[index];
    const content = `<code${trustedClass('language-math display')}>${escapeHtml(token?.content ?? '')}</code>`;
    return token?.meta?.oneLine ? `${content}\n` : `<pre${trustedClass('code-block is-loading')}>${content}</pre>\n`;
  };
}

/** One blank at both ends is for the eye only. */
function trimPair(content: string): string {
  return content.trim() !== '' && content.startsWith(' ') && content.endsWith(' ') ? content.slice(1, -1) : content;
}

interface Found {
  content: string;
  end: number;
}

function inlineMath(source: string, start: number, max: number, syntax: { inlineDollar: boolean }): Found | undefined {
  if (source.charCodeAt(start) !== 0x24) return undefined;
  const ticks = /^`*/.exec(source.slice(start + 1, start + 65))?.[0].length ?? 0;
  if (ticks > 0) return delimited(source, start, max, 1 + ticks, `${'`'.repeat(ticks)}$`, false);
  if (!syntax.inlineDollar) return undefined;
  const marks = source[start + 1] === '$' ? 2 : 1;
  return delimited(source, start, max, marks, '$'.repeat(marks), true);
}

/** The formula between `opening` characters at `start` and the mark `closing` on the same line, outside of braces. */
function delimited(source: string, start: number, max: number, opening: number, closing: string, surrounded: boolean): Found | undefined {
  const before = source[start - 1] ?? '\n';
  if (surrounded && (ALPHANUMERIC.test(before) || PUNCTUATION.test(before))) return undefined;
  let depth = 0;
  for (let i = start + opening; i < max; i++) {
    const character = source[i];
    if (character === '\n') return undefined;
    if (depth === 0 && source.startsWith(closing, i) && i + closing.length <= max) {
      const after = source.slice(i + closing.length, i + closing.length + 2);
      if (surrounded && !AFTER.test(after) && !(before === '[' && after.startsWith(']('))) return undefined;
      return { content: source.slice(start + opening, i), end: i + closing.length };
    }
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
  }
  return undefined;
}

type BlockRule = Parameters<MarkdownIt['block']['ruler']['before']>[2];

type BlockState = Parameters<BlockRule>[0];

const mathBlock: BlockRule = (state, startLine, endLine, silent) => {
  const line = textOfLine(state, startLine);
  const closing = closingMark(line, envOf(state.env).math);
  if (!closing || indentOf(state, startLine) >= 4) return false;
  // An escaped alert, > \[!NOTE\], is none.
  if (closing === '\\]' && line[2] === '!' && line.includes(closing)) return false;
  const end = line.indexOf(closing, 2);
  const rest = end < 0 ? line.slice(2) : line.slice(end + 2);
  // Words after the mark belong to a paragraph with a formula in it.
  // A single character behind an opening mark does not make them words.
  if (rest.slice(end < 0 ? 1 : 0).trim() !== '') return false;
  if (silent) return true;
  const token = state.push('math_block', 'code', 0);
  token.block = true;
  token.meta = { oneLine: end >= 0 };
  if (end >= 0) {
    token.content = line.slice(2, end);
    state.line = startLine + 1;
  } else {
    const last = closingLine(state, startLine + 1, endLine, closing);
    const lineEnd = (state.eMarks[startLine] ?? 0) < state.src.length ? '\n' : '';
    token.content = `${rest}${lineEnd}${state.getLines(startLine + 1, last, state.sCount[startLine] ?? 0, true)}`;
    state.line = last < endLine && indentOf(state, last) >= 0 ? last + 1 : last;
  }
  token.map = [startLine, state.line];
  return true;
};

/** The mark that ends a block of what begins with this line; undefined where none begins. */
function closingMark(line: string, syntax: { blockDollar: boolean; blockSquareBrackets: boolean }): string | undefined {
  if (syntax.blockDollar && line.startsWith('$$')) return '$$';
  return syntax.blockSquareBrackets && line.startsWith('\\[') ? '\\]' : undefined;
}

/** The line with nothing but the closing mark, or the one after which the block has to end without. */
function closingLine(state: BlockState, from: number, endLine: number, closing: string): number {
  for (let line = from; line < endLine; line++) {
    const indent = indentOf(state, line);
    if (indent < 0 && !state.isEmpty(line)) return line;
    if (indent < 4 && textOfLine(state, line).trimEnd() === closing) return line;
  }
  return endLine;
}

function textOfLine(state: BlockState, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Columns that a line is indented within its block. */
function indentOf(state: BlockState, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}
