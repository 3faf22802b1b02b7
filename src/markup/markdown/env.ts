import type { MathSyntax } from '../context.ts';

/** A footnote; not mentioned, it has the number 0 and no anchor. */
export interface Footnote {
  label: string;
  number: number;
  anchor: string;
}

/** The state that the rules of one Markdown rendering share, passed through the parser as its environment. */
export interface MarkdownEnv {
  /** Whether the end of a line breaks it. */
  hardBreaks: boolean;
  math: MathSyntax;
  /** Bytes that stood before the parsed text (its front matter), for the positions of check boxes. */
  offset: number;
  /** Characters of one block of code that are highlighted at most. */
  highlightMaxSize: number;
  /** Characters of code that may still be highlighted. */
  highlightBudget: number;
  /** The first footnote of each label, and those that are mentioned, in order. */
  footnotes: { labels: Map<string, Footnote>; mentioned: Footnote[] };
  /** The columns at which descriptions of definition lists are open, from the outermost on. */
  descriptions: { open: number[] };
  /** Whether escaped characters and entities stay in texts as they are written (`\\#`). */
  keepsEscapes: boolean;
  /** Filled by the parser and its plug-ins. */
  [key: string | symbol]: unknown;
}

/** The environment as its own type; markdown-it hands it around as a record. */
export function envOf(env: unknown): MarkdownEnv {
  return env as MarkdownEnv;
}
