import type { MarkdownIt } from 'markdown-it';
import { blanks } from './blanks.ts';
import { envOf } from './env.ts';
import { hasTable } from './tables.ts';

/** Terms, a line each, and under them descriptions that begin with a colon and a blank (PHP Markdown Extra). */
export function definitionLists(md: MarkdownIt): void {
  md.block.ruler.before('paragraph', 'description', description, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.renderer.rules.dd_open = (tokens, index) => (tokens[index]?.meta?.tight ? '<dd>' : '<dd>\n');
}

type BlockRule = Parameters<MarkdownIt['block']['ruler']['before']>[2];
type BlockState = Parameters<BlockRule>[0];

/** From this many blanks behind the colon on, a description begins with indented code. */
const CODE_WIDTH = 8;

const description: BlockRule = (state, startLine, endLine, silent) => {
  const { open } = envOf(state.env).descriptions;
  const indent = state.sCount[startLine] ?? 0;
  const { width, length } = mark(state, startLine);
  if (width < 1) return false;
  if (silent) {
    // It ends the paragraph that becomes its term, and whatever is open in the description before.
    const ofParagraph = (state.parentType === 'paragraph' || state.parentType === 'reference') && indent === state.blkIndent;
    return ofParagraph || (indent < state.blkIndent && open.includes(indent));
  }
  if (indent !== state.blkIndent || !openList(state)) return false;
  const token = state.push('dd_open', 'dd', 1);
  token.meta = { tight: startLine === 0 || !state.isEmpty(startLine - 1) };
  const first = state.tokens.length;
  const { blkIndent, parentType, tight } = state;
  const shift = state.tShift[startLine] ?? 0;
  state.tShift[startLine] = shift + length;
  state.sCount[startLine] = indent + 1 + width;
  state.blkIndent = indent + 1 + (width >= CODE_WIDTH ? 5 : width);
  state.parentType = 'description';
  open.push(indent);
  state.md.block.tokenize(state, startLine, endLine);
  open.pop();
  Object.assign(state, { blkIndent, parentType, tight });
  state.tShift[startLine] = shift;
  state.sCount[startLine] = indent;
  if (token.meta.tight) hideFirstParagraph(state, first, token.level + 1);
  token.map = [startLine, state.line];
  state.push('dd_close', 'dd', -1);
  state.push('dl_close', 'dl', -1);
  return true;
};

/** The columns of blanks behind a colon with which the line begins, 0 without, and the characters of both. */
function mark(state: BlockState, line: number): { width: number; length: number } {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (state.src[start] !== ':') return { width: 0, length: 0 };
  const column = (state.sCount[line] ?? 0) + 1 + (state.bsCount[line] ?? 0);
  const { length, width } = blanks(state.src, start + 1, state.eMarks[line] ?? 0, column);
  return { length: length + 1, width };
}

/** Begins a list with the paragraph before as its terms, or goes on with the list before; false when there is neither. */
function openList(state: BlockState): boolean {
  const { tokens, level } = state;
  let terms: string[] = [];
  const last = tokens.at(-1);
  if (last?.type === 'paragraph_close' && last.level === level) {
    const content = tokens.at(-2)?.content ?? '';
    if (hasTable(content)) return false;
    terms = content.split('\n');
    tokens.length -= 3;
  } else if (last?.type !== 'dl_close' || last.level !== level) return false;
  const list = tokens.at(-1);
  if (list?.type === 'dl_close' && list.level === level) {
    tokens.pop();
    state.level++;
  } else state.push('dl_open', 'dl', 1);
  for (const term of terms) {
    state.push('dt_open', 'dt', 1);
    Object.assign(state.push('inline', '', 0), { content: term.trim(), children: [] });
    state.push('dt_close', 'dt', -1);
  }
  return true;
}

function hideFirstParagraph({ tokens }: BlockState, from: number, level: number): void {
  for (let first = from; first < tokens.length; first++) {
    const token = tokens[first];
    if (token?.level !== level || token.type !== 'paragraph_open') continue;
    for (const end of [token, tokens[first + 2]]) if (end) end.hidden = true;
    return;
  }
}
