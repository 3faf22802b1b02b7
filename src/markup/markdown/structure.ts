import type { MarkdownIt, Token } from 'markdown-it';
import { RenderLimitError } from '../deadline.ts';
import { envOf } from './env.ts';

/** Blocks within blocks go no deeper. */
export const MAX_NESTING = 100;

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
      if (previous?.type === 'blockquote_open' && token.type === 'heading_open') token.attrSet('dir', 'auto');
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
  md.renderer.rules.softbreak = (_tokens, _index, _options, env) => (envOf(env).hardBreaks ? '<br>\n' : '\n');
}

function alignCell(token: Token): void {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (align) token.attrs = [['align', align]];
}
