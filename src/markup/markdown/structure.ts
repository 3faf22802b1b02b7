import type { MarkdownIt, Token } from 'markdown-it';
import { trimEnd } from '../../text/trim-end.ts';
import { RenderLimitError } from '../deadline.ts';
import { envOf } from './env.ts';

/** Blocks within blocks go no deeper. */
export const MAX_NESTING = 100;

/** What sets the direction of the text when a quote begins with it, besides paragraphs, which always do. */
const DIRECTED_IN_QUOTES = new Set([
  'heading_open',
  'blockquote_open',
  'bullet_list_open',
  'ordered_list_open',
  'table_open',
  'dl_open',
  'hr',
]);

/** Small differences of the written HTML: text direction of paragraphs and outer lists, breaks of lines. */
export function structure(md: MarkdownIt): void {
  // The parser drops deeper content; it is better to show the text as it is.
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
      }
    }
  });
  // Tabs at the end of a line are no more part of it than blanks, which the parser takes away.
  md.core.ruler.after('inline', 'line_ends', (state) => {
    for (const { children } of state.tokens)
      children?.forEach((token, index) => {
        if (token.type === 'text' && /break$/.test(children[index + 1]?.type ?? '')) token.content = trimEnd(token.content, ' \t');
      });
  });
  md.core.ruler.before('text_join', 'kept_escapes', (state) => {
    if (!envOf(state.env).keepsEscapes) return;
    for (const { children } of state.tokens)
      children?.forEach((token) => {
        if (token.type === 'text_special') token.content = token.markup;
      });
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
}
