import type { MarkdownIt } from 'markdown-it';
import footnotePlugin from 'markdown-it-footnote';
import { anchorName } from '../anchor.ts';
import { escapeHtml } from '../html/escape.ts';

interface FootnoteMeta {
  id: number;
  subId?: number;
  label?: string;
}

/** Footnotes `[^name]`, written at the end of the text with anchors named after their labels. */
export function footnotes(md: MarkdownIt): void {
  md.use(footnotePlugin);
  md.inline.ruler.disable('footnote_inline');
  const rules = md.renderer.rules;
  const meta = (token: { meta: unknown } | undefined) => token?.meta as FootnoteMeta;
  const name = (note: FootnoteMeta) => escapeHtml(anchorName(note.label ?? '') || String(note.id + 1));
  rules.footnote_ref = (tokens, index) => {
    const note = meta(tokens[index]);
    return `<sup id="fnref:user-content-${name(note)}"><a href="#fn:user-content-${name(note)}">${note.id + 1} </a></sup>`;
  };
  rules.footnote_block_open = () => '<div>\n<hr>\n<ol>\n';
  rules.footnote_block_close = () => '</ol>\n</div>\n';
  rules.footnote_open = (tokens, index) => `<li id="fn:user-content-${name(meta(tokens[index]))}">\n`;
  rules.footnote_close = () => '</li>\n';
  rules.footnote_anchor = (tokens, index) => {
    const note = meta(tokens[index]);
    return note.subId ? '' : ` <a href="#fnref:user-content-${name(note)}">↩︎</a>`;
  };
}
