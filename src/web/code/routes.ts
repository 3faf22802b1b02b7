import { canRead } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees.ts';
import { notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { isGoGet, serveGoGet } from '../../transport/go-get.ts';
import type { Reply } from '../page.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { commitPage } from './commit/page.ts';
import { emptyPage } from './empty-page.ts';
import { filePage, submodulePage } from './file/page.ts';
import { folderPage } from './folder-page.ts';
import { defaultLocation, findLocation, type Location, type RefKind } from './location.ts';

/** The code of a repository: folders and files. */
export const codePages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo',
    before: async ({ request, params }, context) =>
      isGoGet({ request }) ? serveGoGet(context, { params: { owner: params.owner ?? '', repo: params.repo ?? '' }, request }) : undefined,
    get: home,
  }),
  ...repositoryPage({
    path: '/:owner/:repo/src/:kind(^branch|tag|commit$)/*',
    needs: [canRead('code')],
    get: async (visit, context) => {
      const { params, request, repository } = visit;
      const kind = params.kind as RefKind;
      return contentPage(visit, context, await findLocation(context, repository, { kind, rest: params['*'] ?? '', url: request.url }));
    },
  }),
  ...repositoryPage({ path: '/:owner/:repo/commit/:sha', needs: [canRead('code')], semaphore: 'renders', get: commitPage }),
];

async function home(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { access, repository } = visit;
  if (!access.canRead('code')) throw notFound();
  const location = await defaultLocation(context, repository);
  return location ? folderPage(visit, context, location) : emptyPage(visit, context);
}

async function contentPage(visit: RepositoryVisit, context: Context, location: Location): Promise<Reply> {
  const folder = context.git.locate(location.repository);
  const entry = await findEntry(folder, context.git.pool, location.commit.tree, location.path);
  if (!entry) throw notFound();
  if (entry.type === 'commit') return submodulePage(visit, context, location, entry);
  return entry.type === 'tree' ? folderPage(visit, context, location) : filePage(visit, context, location, entry);
}
