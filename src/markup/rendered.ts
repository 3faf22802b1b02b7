import type { ParsedMarkdown } from './markdown/markdown.ts';
import type { Heading } from './process.ts';

/** A rendered text. */
export interface Rendered {
  /** Sanitized HTML. */
  html: string;
  /** Its headings, in order; empty unless the place gives headings anchors. */
  headings: Heading[];
  /** Where a page should show the table of contents; `main` means that `html` begins with it. */
  contents: ParsedMarkdown['contents'];
}
