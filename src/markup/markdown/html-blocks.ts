import type { MarkdownIt } from 'markdown-it';

const ENDS_TEXT = /^<\/(?:pre|script|style|textarea)\b/i;

/** A tag that ends what holds text as it is begins no block (https://spec.commonmark.org/0.31.2/#html-blocks, 7). */
export function htmlBlocks(md: MarkdownIt): void {
  const block = md.block.ruler.getRules('').find(({ name }) => name === 'html_block');
  if (!block) throw new Error('the parser reads no blocks of HTML');
  md.block.ruler.at(
    'html_block',
    (state, startLine, endLine, silent) => {
      const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      return !ENDS_TEXT.test(state.src.slice(start, start + 16)) && block(state, startLine, endLine, silent);
    },
    { alt: ['paragraph', 'reference', 'blockquote'] },
  );
}
