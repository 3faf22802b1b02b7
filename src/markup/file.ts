import type { MarkupContext } from './context.ts';
import { type Rendered, renderMarkdownDocument } from './render.ts';

/** Renders the text of a file by its name; undefined when its kind has no rendering. */
export async function renderFile(text: string, path: string, context: MarkupContext): Promise<Rendered | undefined> {
  if (/\.(md|markdown|mdown|mkd|livemd)$/i.test(path)) return renderMarkdownDocument(text, context);
  return undefined;
}
