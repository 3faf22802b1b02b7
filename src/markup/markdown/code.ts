import type { MarkdownIt } from 'markdown-it';
import { escapeHtml } from '../../text/escape-html.ts';
import { highlight } from '../highlight.ts';
import { TRUSTED_CLASS, trustedClass } from '../html/trusted.ts';
import { envOf } from './env.ts';

const COLOUR =
  /^(#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|(rgb|hsl)a?\(\s*[\d.]+(deg|%)?\s*,?\s*[\d.]+%?\s*,?\s*[\d.]+%?\s*([,/]\s*[\d.]+%?\s*)?\))$/i;

/** Code blocks with highlighting, in the frame that pages expect; code spans with a sample when they hold a colour. */
export function code(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index];
    const language =
      md.utils
        .unescapeAll(token?.info ?? '')
        .trim()
        .split(/\s+/, 1)[0] ?? '';
    const content = token?.content ?? '';
    // A block that the text's end cuts off ends its last line all the same.
    return block(content === '' || content.endsWith('\n') ? content : `${content}\n`, language, env);
  };
  md.renderer.rules.code_block = (tokens, index) => `<pre><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
  md.renderer.rules.code_inline = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    const sample = COLOUR.test(content) ? `<span ${TRUSTED_CLASS}="color-preview" style="background-color: ${content}"></span>` : '';
    return `<code>${escapeHtml(content)}${sample}</code>`;
  };
}

function block(source: string, language: string, env: unknown): string {
  const state = envOf(env);
  const waits = language === 'mermaid' || language === 'math';
  let content: string | undefined;
  if (language && !waits && source.length <= Math.min(state.highlightMaxSize, state.highlightBudget)) {
    content = highlight(source, language);
    if (content !== undefined) state.highlightBudget -= source.length;
  }
  const frame = trustedClass('code-block-container code-overflow-scroll');
  const outer = trustedClass(waits ? 'code-block is-loading' : 'code-block');
  const inner = trustedClass(`chroma language-${language || 'text'} display`);
  return `<div${frame}><pre${outer}><code${inner}>${content ?? escapeHtml(source)}</code></pre></div>`;
}
