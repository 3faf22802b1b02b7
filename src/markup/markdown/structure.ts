import type { MarkdownIt, Token } from 'markdown-it';
import { envOf } from './env.ts';

/** Small differences of the written HTML: text direction of paragraphs and outer lists, `align` of cells, breaks of lines. */
export function structure(md: MarkdownIt): void {
  md.core.ruler.push('direction', (state) => {
    let lists = 0;
    for (const token of state.tokens) {
      if (token.type === 'paragraph_open') token.attrSet('dir', 'auto');
      else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') lists--;
      else if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') {
        if (lists++ === 0) token.attrSet('dir', 'auto');
      } else if (token.type === 'th_open' || token.type === 'td_open') alignCell(token);
    }
  });
  md.renderer.rules.softbreak = (_tokens, _index, _options, env) => (envOf(env).hardBreaks ? '<br>\n' : '\n');
}

function alignCell(token: Token): void {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (align) token.attrs = [['align', align]];
}
