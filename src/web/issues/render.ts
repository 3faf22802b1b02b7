import { signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { html as htmlResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { renderMarkdown } from '../../markup/markup.ts';
import { markupContext, type ReadableRepository } from '../../rendering/lookups.ts';
import { composerBytes } from '../components/composer.ts';
import { prose } from '../components/prose.ts';
import type { Html } from '../html.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

/** Renders all texts of a page; data of the repository is looked up once. */
export async function commentRenderer(
  context: Context,
  readable: ReadableRepository & Pick<RepositoryVisit, 'view'>,
): Promise<(text: string, footnotes: string) => Promise<Html>> {
  const known = await markupContext(context, readable, { titles: true });
  return async (text, footnotes) =>
    prose(
      readable.view,
      await renderMarkdown(text, { ...known, absoluteLinks: false, origin: { kind: 'comment', footnotes } }),
      'comment-body',
    );
}

/** Renders one text as a comment of a repository, for previews. @throws HttpError 422 for one that is too long */
export async function renderComment(
  context: Context,
  readable: ReadableRepository & Pick<RepositoryVisit, 'view'>,
  text: string,
): Promise<Html> {
  if (text.length > context.settings.markup.maxSize) throw unprocessable('[Text]: MaxSize');
  return (await commentRenderer(context, readable))(text, 'preview');
}

/** Renders the text of a composer. */
export const previewPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/markup',
  needs: [signedIn],
  semaphore: 'renders',
  maxBytes: composerBytes,
  post: async (visit, context) => htmlResponse((await renderComment(context, visit, visit.fields.get('text') ?? '')).text),
});
