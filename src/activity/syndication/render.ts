import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { renderMarkdown } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';

/** Renders Markdown as HTML with absolute links, as it stands in a repository if one is given. */
export type Renderer = (text: string, repository?: Repository) => Promise<string>;

/** Length limit of a text that a feed shows in characters; a feed shows many. */
const MAX_LENGTH = 20_000;

/** The renderer of one feed. Commits that a text names are not looked up. */
export async function rendererOf(context: Context): Promise<Renderer> {
  const known = await markupContext(context);
  return async (text, repository) => {
    if (text.trim() === '') return '';
    const at = repository && { owner: repository.owner.name, name: repository.name };
    return renderMarkdown(text.slice(0, MAX_LENGTH), { ...known, repository: at, absoluteLinks: true, origin: { kind: 'comment' } });
  };
}
