import type { OrgDocument } from './document.ts';
import type { Line } from './lines.ts';

/** A block as HTML, and the line after it. */
export interface Block {
  html: string;
  next: number;
  paragraph?: boolean;
}

/** What each kind of block needs of the parser: the lines, and the blocks within. */
export interface BlockParser {
  readonly lines: Line[];
  readonly document: OrgDocument;
  /** The lines from `start` to `end` (excluded), which stand `base` columns in, as HTML. */
  blocks(start: number, end: number, base: number): string;
  /** {@link blocks}, one by one. */
  blockList(start: number, end: number, base: number): Block[];
  /** The block that begins with a line. */
  block(start: number, end: number, base: number): Block;
  /** The first line from `start` on for which something does not hold; `end` without one. */
  skip(start: number, end: number, holds: (line: Line) => boolean): number;
}
