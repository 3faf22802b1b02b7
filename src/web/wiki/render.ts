import type { Context } from '../../context.ts';
import { renderMarkdown } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';
import { prose } from '../components/prose.ts';
import type { Html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** Renders a text of a wiki. */
export async function renderWiki({ repository, access, view }: RepositoryVisit, context: Context, text: Buffer | string): Promise<Html> {
  const known = await markupContext(context, { repository, access }, { titles: true });
  return prose(view, await renderMarkdown(text.toString('utf8'), { ...known, absoluteLinks: false, origin: { kind: 'wiki' } }));
}
