import type { MarkdownIt, Token } from 'markdown-it';
import { TRUSTED_CLASS, trustedClass } from '../html/trusted.ts';
import { icon } from '../icons.ts';

const ICONS: Record<string, string> = { note: 'info', tip: 'light-bulb', important: 'report', warning: 'alert', caution: 'stop' };
const MARK = /^\[!(?<kind>note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;
const STRONG = /^(\*\*|__|\*|_)(?<kind>note|tip|important|warning|caution)\1[ \t]*(?=\n|$|[^\w*])/i;

/** Quotes that begin with `[!NOTE]` or `**Note**` and the like: a coloured quote with icon and word. */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'alerts', (state) => {
    const tokens: Token[] = [];
    for (let i = 0; i < state.tokens.length; i++) {
      const token = state.tokens[i] as Token;
      tokens.push(token);
      const inline = state.tokens[i + 2];
      if (token.type !== 'blockquote_open' || state.tokens[i + 1]?.type !== 'paragraph_open' || !inline) continue;
      const mark = MARK.exec(inline.content) ?? STRONG.exec(inline.content);
      const kind = mark?.groups?.kind?.toLowerCase();
      if (!mark || !kind) continue;
      token.attrPush([TRUSTED_CLASS, `attention-header attention-${kind}`]);
      const title = new state.Token('alert_title', '', 0);
      title.meta = { kind };
      title.block = true;
      tokens.push(title);
      inline.content = inline.content.slice(mark[0].length);
      // A paragraph that held nothing else is gone.
      if (inline.content.trim() === '') i += 3;
    }
    state.tokens = tokens;
  });
  md.renderer.rules.alert_title = (tokens, index) => {
    const kind = String(tokens[index]?.meta?.kind);
    const word = kind.charAt(0).toUpperCase() + kind.slice(1);
    const drawing = icon(ICONS[kind] ?? 'info', 16, `attention-icon attention-${kind}`);
    return `<p dir="auto">${drawing}<strong${trustedClass(`attention-${kind}`)}>${word}</strong></p>\n`;
  };
  md.renderer.rules.blockquote_open = (tokens, index, options, _env, self) =>
    tokens[index]?.attrs ? self.renderToken(tokens, index, options).trimEnd() : self.renderToken(tokens, index, options);
}
