import type { MarkdownIt, Token } from 'markdown-it';
import { TRUSTED_CLASS, trustedClass } from '../html/trusted.ts';
import { icon } from '../icons.ts';
import { copyToken } from './copy-token.ts';

const ICONS: Record<string, string> = { note: 'info', tip: 'light-bulb', important: 'report', warning: 'alert', caution: 'stop' };
const MARK = /^\[!(?<kind>note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/** Quotes that begin with `[!NOTE]` or an emphasized `Note` and the like: a coloured quote with icon and word. */
export function alerts(md: MarkdownIt): void {
  // Before inline parsing, which makes references of brackets; emphasis is known after it.
  md.core.ruler.before('inline', 'alert_marks', (state) => {
    state.tokens = withTitles(state.tokens, (inline) => {
      const mark = MARK.exec(inline.content);
      if (mark) inline.content = inline.content.slice(mark[0].length);
      return { kind: mark?.groups?.kind, empty: inline.content.trim() === '' };
    });
  });
  md.core.ruler.after('inline', 'alert_words', (state) => {
    state.tokens = withTitles(state.tokens, ({ children }) => {
      const end = children ? emphasisEnd(children) : 0;
      const word = (children ?? [])
        .slice(0, end)
        .map(({ content }) => content)
        .join('');
      if (end === 0 || !Object.hasOwn(ICONS, word.toLowerCase())) return { kind: undefined, empty: false };
      children?.splice(0, end);
      return { kind: word, empty: !children?.some(({ type, content }) => type !== 'text' || content !== '') };
    });
  });
  md.renderer.rules.alert_title = (tokens, index) => {
    const kind = String(tokens[index]?.meta?.kind);
    const word = kind.charAt(0).toUpperCase() + kind.slice(1);
    const drawing = icon(ICONS[kind] ?? 'info', 16, `attention-icon attention-${kind}`);
    return `<p dir="auto">${drawing}<strong${trustedClass(`attention-${kind}`)}>${word}</strong></p>\n`;
  };
}

/** The tokens with a title in each quote for whose first paragraph `read` returns a kind; a paragraph that it left empty is removed. */
function withTitles(tokens: readonly Token[], read: (inline: Token) => { kind: string | undefined; empty: boolean }): Token[] {
  const made: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    made.push(token);
    const inline = tokens[i + 2];
    if (token.type !== 'blockquote_open' || tokens[i + 1]?.type !== 'paragraph_open' || !inline) continue;
    const { kind, empty } = read(inline);
    if (!kind) continue;
    token.attrPush([TRUSTED_CLASS, `attention-header attention-${kind.toLowerCase()}`]);
    made.push(copyToken(token, { type: 'alert_title', tag: '', nesting: 0, meta: { kind: kind.toLowerCase() } }));
    if (empty) i += 3;
  }
  return made;
}

/** Behind which token the emphasis ends with which a paragraph begins; 0 when it begins otherwise. */
function emphasisEnd(children: readonly Token[]): number {
  let depth = 0;
  for (const [index, { type, nesting, content }] of children.entries()) {
    if (depth === 0 && type !== 'em_open' && type !== 'strong_open') {
      if (type === 'text' && content === '') continue;
      return 0;
    }
    depth += nesting;
    if (depth === 0) return index + 1;
  }
  return 0;
}
