import MarkdownParser, { type MarkdownIt } from 'markdown-it';
import { alerts } from './alerts.ts';
import { code } from './code.ts';
import { definitionLists } from './definition-lists.ts';
import { emphasis } from './emphasis.ts';
import { footnotes } from './footnotes.ts';
import { headingAttributes } from './heading-attributes.ts';
import { htmlBlocks } from './html-blocks.ts';
import { math } from './math.ts';
import { MAX_NESTING, structure } from './structure.ts';
import { tables } from './tables.ts';
import { taskLists } from './task-lists.ts';

let parser: MarkdownIt | undefined;

/** The one Markdown parser: CommonMark with the reference's extensions. Built at first use; it keeps no state between texts. */
export function markdownParser(): MarkdownIt {
  parser ??= build();
  return parser;
}

function build(): MarkdownIt {
  const md = new MarkdownParser({ html: true, maxNesting: MAX_NESTING });
  // The sanitizer decides which URLs are allowed, for Markdown and HTML alike.
  md.validateLink = () => true;
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(url.trim());
  md.normalizeLinkText = (text) => text;
  md.use(definitionLists)
    .use(footnotes)
    .use(emphasis)
    .use(math)
    .use(headingAttributes)
    .use(taskLists)
    .use(alerts)
    .use(code)
    .use(tables)
    .use(htmlBlocks)
    .use(structure);
  return md;
}
