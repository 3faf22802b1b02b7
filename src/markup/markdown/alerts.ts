import type { MarkdownIt } from 'markdown-it';
import { TRUSTED_CLASS, trustedClass } from '../html/trusted.ts';
import { icon } from '../icons.ts';

const ICONS: Record<string, string> = { note: 'info', tip: 'light-bulb', important: 'report', warning: 'alert', caution: 'stop' };
const MARK = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;
const STRONG = /^(\*\*|__|\*|_)(note|tip|important|warning|caution)\1[ \t]*(?=\n|$|[^\w*])/i;

/** Quotes that begin with `[!NOTE]` or `**Note**` and the like: a coloured quote with icon and word. */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'alerts', (state) => {
    for (let i = state.tokens.length - 3; i >= 0; i--) {
      const [quote, paragraph, inline] = [state.tokens[i], state.tokens[i + 1], state.tokens[i + 2]];
      if (quote?.type !== 'blockquote_open' || paragraph?.type !== 'paragraph_open' || !inline) continue;
      const mark = MARK.exec(inline.content);
      const strong = mark ? null : STRONG.exec(inline.content);
      const kind = (mark?.[1] ?? strong?.[2])?.toLowerCase();
      if (!kind) continue;
      quote.attrPush([TRUSTED_CLASS, `attention-header attention-${kind}`]);
      const title = new state.Token('alert_title', '', 0);
      title.meta = { kind };
      title.block = true;
      inline.content = inline.content.slice((mark ?? strong)?.[0].length ?? 0);
      // A paragraph that held nothing else is gone.
      state.tokens.splice(i + 1, inline.content.trim() === '' ? 3 : 0, title);
    }
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
