import type { MathSyntax } from '../context.ts';

/** What the rules of one Markdown rendering share, handed through the parser as its environment. */
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
  /** Filled by the parser and its plug-ins. */
  [key: string | symbol]: unknown;
}

/** The environment as its own type; markdown-it hands it around as a record. */
export function envOf(env: unknown): MarkdownEnv {
  return env as MarkdownEnv;
}
