import type { Context } from '../../context.ts';
import { renderMarkdown } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';

/** A description as Markdown. */
export async function described(context: Context, text: string): Promise<string> {
  return renderMarkdown(text, { ...(await markupContext(context)), absoluteLinks: false, origin: { kind: 'comment' } });
}
