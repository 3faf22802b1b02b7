import type { MarkdownIt } from 'markdown-it';

/** One tilde strikes through as two do; and the underscores of file names like `__init__.py` are not emphasis. */
export function emphasis(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'python_names', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x5f) return false;
    const lineEnd = state.src.indexOf('\n', state.pos);
    const line = state.src.slice(state.pos, lineEnd < 0 ? state.posMax : lineEnd);
    const mark = line.slice(0, 300).indexOf('_.py');
    if (mark < 0) return false;
    // The next underscore is the first or the second of the mark, or this one is the last of the line.
    const next = line.indexOf('_', 1);
    const end = next < 0 ? -1 : next - 1;
    if (end !== mark && end !== mark - 1) return false;
    if (!silent) state.pending += '_';
    state.pos++;
    return true;
  });
  md.inline.ruler.at('strikethrough', (state, silent) => {
    const start = state.pos;
    if (silent || state.src.charCodeAt(start) !== 0x7e) return false;
    const { can_open, can_close, length } = state.scanDelims(start, true);
    const token = state.push('text', '', 0);
    token.content = '~'.repeat(length);
    state.pos += length;
    if (length > 2) return true;
    // Runs of one and of two only close their own kind, so they count as different marks.
    const marker = length === 1 ? SINGLE : DOUBLE;
    state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open: can_open, close: can_close });
    return true;
  });
  md.inline.ruler2.at('strikethrough', (state) => {
    strike(state.tokens, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters) strike(state.tokens, meta.delimiters);
    return true;
  });
}

const SINGLE = 0x10007e;
const DOUBLE = 0x20007e;

type Tokens = { type: string; tag: string; nesting: -1 | 0 | 1; markup: string; content: string }[];

function strike(tokens: Tokens, delimiters: readonly { marker: number; token: number; end: number }[]): void {
  for (const delimiter of delimiters) {
    if ((delimiter.marker !== SINGLE && delimiter.marker !== DOUBLE) || delimiter.end === -1) continue;
    const end = delimiters[delimiter.end];
    const [opening, closing] = [tokens[delimiter.token], end && tokens[end.token]];
    if (!opening || !closing) continue;
    Object.assign(opening, { type: 's_open', tag: 'del', nesting: 1, markup: opening.content, content: '' });
    Object.assign(closing, { type: 's_close', tag: 'del', nesting: -1, markup: closing.content, content: '' });
  }
}
