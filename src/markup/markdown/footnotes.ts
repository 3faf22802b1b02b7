import type { MarkdownIt, Token } from 'markdown-it';
import { escapeHtml } from '../../text/escape-html.ts';
import { anchorName } from '../anchor.ts';
import { blanks } from './blanks.ts';
import { copyToken } from './copy-token.ts';
import { envOf, type Footnote } from './env.ts';

/** Footnotes `[^name]`, written at the end of the text with anchors named after their labels. */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before('reference', 'footnote', definition, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.inline.ruler.before('link', 'footnote', mention);
  md.core.ruler.after('inline', 'footnotes', (state) => {
    state.tokens = withNotesAtEnd(state.tokens, new state.Token('footnotes', '', 0));
  });
  const rules = md.renderer.rules;
  const name = (token: Token | undefined) => escapeHtml(noteOf(token)?.anchor ?? '');
  rules.footnote_mention = (tokens, index) =>
    `<sup id="fnref:user-content-${name(tokens[index])}"><a href="#fn:user-content-${name(tokens[index])}">${noteOf(tokens[index])?.number} </a></sup>`;
  rules.footnotes_open = () => '<div>\n<hr>\n<ol>\n';
  rules.footnotes_close = () => '</ol>\n</div>\n';
  rules.footnote_open = (tokens, index) => `<li id="fn:user-content-${name(tokens[index])}">\n`;
  rules.footnote_close = () => '</li>\n';
  rules.footnote_back = (tokens, index) => ` <a href="#fnref:user-content-${name(tokens[index])}">↩︎</a>`;
}

const noteOf = (token: Token | undefined): Footnote | undefined => token?.meta?.note as Footnote | undefined;

type BlockRule = Parameters<MarkdownIt['block']['ruler']['before']>[2];
type InlineRule = Parameters<MarkdownIt['inline']['ruler']['before']>[2];

/** `[^label]: …`, what follows indented by four being part of it. */
const definition: BlockRule = (state, startLine, endLine, silent) => {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const max = state.eMarks[startLine] ?? 0;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4 || !state.src.startsWith('[^', start)) return false;
  const end = labelEnd(state.src, start + 2, max);
  const label = state.src.slice(start + 2, end);
  if (end < 0 || state.src[end + 1] !== ':' || label.trim() === '') return false;
  if (silent) return true;
  const { labels } = envOf(state.env).footnotes;
  const note: Footnote = { label, number: 0, anchor: '' };
  if (!labels.has(label)) labels.set(label, note);
  state.push('footnote_open', '', 1).meta = { note };
  const { blkIndent, parentType, tight } = state;
  const [mark, shift, column] = [state.bMarks[startLine] ?? 0, state.tShift[startLine] ?? 0, state.sCount[startLine] ?? 0];
  // The mark takes the place of the indentation that its further lines have.
  state.blkIndent += 4;
  const after = blanks(state.src, end + 2, max, column + end + 2 - start + (state.bsCount[startLine] ?? 0));
  state.bMarks[startLine] = end + 2 - state.blkIndent;
  state.tShift[startLine] = state.blkIndent + after.length;
  state.sCount[startLine] = state.blkIndent + after.width;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  Object.assign(state, { blkIndent, parentType, tight });
  state.bMarks[startLine] = mark;
  state.tShift[startLine] = shift;
  state.sCount[startLine] = column;
  state.push('footnote_close', '', -1).meta = { note };
  return true;
};

/** `[^label]`, and `![^label]`, of a footnote that the text has. */
const mention: InlineRule = (state, silent) => {
  const start = state.src[state.pos] === '!' ? state.pos + 1 : state.pos;
  const { labels, mentioned } = envOf(state.env).footnotes;
  if (labels.size === 0 || !state.src.startsWith('[^', start)) return false;
  const end = labelEnd(state.src, start + 2, state.posMax);
  const note = end < 0 ? undefined : labels.get(state.src.slice(start + 2, end));
  if (!note) return false;
  if (!silent) {
    if (note.number === 0) {
      mentioned.push(note);
      note.number = mentioned.length;
      note.anchor = anchorOf(note, mentioned);
    }
    state.push('footnote_mention', '', 0).meta = { note };
  }
  state.pos = end + 1;
  return true;
};

/** Where the bracket is that closes a label on its line, or -1; a label holds no other bracket but escaped. */
function labelEnd(source: string, from: number, max: number): number {
  for (let i = from; i < max; i++) {
    const character = source[i];
    if (character === ']') return i;
    if (character === '[' || character === '\n') return -1;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(source[i + 1] ?? '')) i++;
  }
  return -1;
}

/** The label in letters and digits of ASCII, numbered where an earlier footnote has the same. */
function anchorOf({ label, number }: Footnote, mentioned: readonly Footnote[]): string {
  const name = anchorName(label) || String(number);
  const plain = name.replaceAll('_', '-').replace(/[^a-z0-9-]/g, '') || 'id';
  const taken = new Set(mentioned.map(({ anchor }) => anchor));
  let anchor = plain;
  for (let i = 1; taken.has(anchor); i++) anchor = `${plain}-${i}`;
  return anchor;
}

/** The tokens with the footnotes that are mentioned at their end, in the order of their numbers; the others are left out. */
function withNotesAtEnd(tokens: readonly Token[], sample: Token): Token[] {
  const text: Token[] = [];
  const notes: Token[][] = [];
  const open: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'footnote_open') {
      const note: Token[] = [token];
      open.push(note);
      notes.push(note);
    } else if (token.type === 'footnote_close') open.pop()?.push(token);
    else (open.at(-1) ?? text).push(token);
  }
  if (notes.length === 0) return text;
  const numberOf = ([open]: Token[]) => noteOf(open)?.number ?? 0;
  const shown = notes.filter((note) => numberOf(note) > 0).sort((a, b) => numberOf(a) - numberOf(b));
  if (shown.length === 0) return text;
  const token = (type: string, meta: Token['meta'] = null) => copyToken(sample, { type, meta });
  for (const note of shown) {
    const end = note.at(-2)?.type === 'paragraph_close' ? -2 : -1;
    note.splice(end, 0, token('footnote_back', note[0]?.meta ?? null));
  }
  return [...text, token('footnotes_open'), ...shown.flat(), token('footnotes_close')];
}
