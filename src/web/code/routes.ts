import { canRead } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { isGoGet, serveGoGet } from '../../transport/go-get.ts';
import { forFeedReaders } from '../feed-reader.ts';
import { migrationInPlace } from '../migrate/routes.ts';
import { type Reply, seeOther } from '../page.ts';
import { tabsOf } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { blamePage } from './blame/page.ts';
import { commitPage, commitRefsPage } from './commit/page.ts';
import { compareFormPage, comparisonPage } from './comparison/page.ts';
import { leadingToLines } from './diff/line-field.ts';
import { editPages } from './edit/routes.ts';
import { emptyPage } from './empty-page.ts';
import { filePage, submodulePage } from './file/page.ts';
import { findPage } from './find/page.ts';
import { folderPage } from './folder-page.ts';
import { graphPage } from './graph/page.ts';
import { historyPage } from './history/page.ts';
import { defaultLocation, findLocation, type Location, type RefKind } from './location.ts';
import { missingPage } from './missing-page.ts';
import { followerPages } from './people/pages.ts';
import { branchPages } from './refs/branch-forms.ts';
import { nameListPages } from './refs/name-lists.ts';
import { tagPages } from './refs/tags.ts';
import { releasePages } from './releases/pages.ts';
import { lineAsked } from './source/line-form.ts';
import { topicPages } from './topics.ts';
import { untypedPages } from './untyped.ts';

/** The code of a repository: folders and files. */
export const codePages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo',
    before: async (visit, context) => {
      const { request, params } = visit;
      const { owner = '', repo = '' } = params;
      if (isGoGet({ request })) return serveGoGet(context, { params: { owner, repo }, request });
      return fromCloneUrl(context, owner, repo) ?? forFeedReaders(visit, context);
    },
    otherwise: migrationInPlace,
    get: home,
  }),
  ...untypedPages,
  ...placePage('src', contentPage),
  ...placePage('blame', blamePage, 'renders'),
  ...placePage('find', findPage),
  ...placePage('commits', historyPage, 'searches'),
  ...repositoryPage({ path: '/:owner/:repo/graph', needs: [canRead('code')], semaphore: 'searches', get: graphPage }),
  ...repositoryPage({ path: '/:owner/:repo/commit/:sha', needs: [canRead('code')], semaphore: 'renders', get: leadingToLines(commitPage) }),
  ...repositoryPage({
    path: '/:owner/:repo/commit/:sha/load-branches-and-tags',
    needs: [canRead('code')],
    semaphore: 'searches',
    get: commitRefsPage,
  }),
  ...repositoryPage({ path: '/:owner/:repo/compare', needs: [canRead('code')], get: compareFormPage }),
  ...repositoryPage({
    path: '/:owner/:repo/compare/*',
    needs: [canRead('code')],
    semaphore: 'renders',
    get: leadingToLines(comparisonPage),
  }),
  ...editPages,
  ...branchPages,
  ...tagPages,
  ...nameListPages,
  ...releasePages,
  ...followerPages,
  ...topicPages,
];

/** A page about a place in the code. */
function placePage(
  page: string,
  get: (visit: RepositoryVisit, context: Context, location: Location) => Promise<Reply>,
  semaphore?: 'renders' | 'searches',
): AnyRoute[] {
  return repositoryPage({
    path: `/:owner/:repo/${page}/:kind(^branch|tag|commit$)/*`,
    needs: [canRead('code')],
    ...(semaphore && { semaphore }),
    get: async (visit, context) => {
      const { params, request, repository, view, fields } = visit;
      const kind = params.kind as RefKind;
      const line = lineAsked(view, fields);
      if (line !== undefined) return seeOther(context, line.slice(view.root.length));
      return get(visit, context, await findLocation(context, repository, { kind, rest: params['*'] ?? '', url: request.url }));
    },
  });
}

/** Where a URL for git is opened in a browser, to the page of that. */
function fromCloneUrl(context: Context, owner: string, repo: string) {
  const [, name, kind] = /^(.+)\.(git|wiki)$/i.exec(repo) ?? [];
  if (name === undefined) return undefined;
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  return seeOther(context, kind?.toLowerCase() === 'wiki' ? `${path}/wiki` : path);
}

async function home(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, access, repository } = visit;
  if (!access.canRead('code')) return seeOther(context, firstTab(visit).slice(view.root.length));
  const location = await defaultLocation(context, repository);
  return location ? folderPage(visit, context, location) : emptyPage(visit, context);
}

/** Where else a reader of single units begins. */
function firstTab({ view, repository, access }: RepositoryVisit): string {
  const first = tabsOf(view, repository, access, 'code').find((tab) => tab !== false);
  if (!first) throw notFound();
  return first.href;
}

async function contentPage(visit: RepositoryVisit, context: Context, location: Location): Promise<Reply> {
  const folder = context.git.locate(location.repository);
  const entry = await findEntry(folder, context.git.pool, location.commit.tree, location.path);
  if (!entry) return missingPage(visit, context, location);
  if (entry.type === 'commit') return submodulePage(visit, context, location, entry);
  return entry.type === 'tree' ? folderPage(visit, context, location) : filePage(visit, context, location, entry);
}
