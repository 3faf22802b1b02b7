import { canWrite, notArchived, signedIn, unitOn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { leadingToLines } from '../code/diff/line-field.ts';
import { composerBytes } from '../components/composer.ts';
import type { Reply } from '../page.ts';
import { wikiHere } from '../repository/elsewhere.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { changeWiki, editedPage, newPage } from './form.ts';
import { pageList, revisionList } from './list.ts';
import { wikiPage } from './page.ts';
import { requestedAction } from './requested.ts';
import { pageRevision, wikiCommitPage } from './revision.ts';

const writing = [signedIn, notArchived, canWrite('wiki')];
const shared = {
  needs: [wikiHere, unitOn('wiki')],
  postNeeds: writing,
  semaphore: 'renders',
  maxBytes: composerBytes,
  get: show,
  post: changeWiki,
} as const;

/** Wikis: their pages, the lists of them, and the forms that change them. */
export const wikiPages: readonly AnyRoute[] = [
  ...repositoryPage({ ...shared, path: '/:owner/:repo/wiki' }),
  ...repositoryPage({
    path: '/:owner/:repo/wiki/commit/:sha',
    needs: [unitOn('wiki')],
    semaphore: 'renders',
    get: leadingToLines(wikiCommitPage),
  }),
  ...repositoryPage({ ...shared, path: '/:owner/:repo/wiki/*' }),
];

async function show(visit: RepositoryVisit, context: Context): Promise<Reply> {
  switch (requestedAction(visit)) {
    case '_pages':
      return pageList(visit, context);
    case '_revision':
      return visit.fields.has('at') ? pageRevision(visit, context, visit.fields.get('at') ?? '') : revisionList(visit, context);
    case '_new':
      await requireWriting(visit, context);
      return newPage(visit, context);
    case '_edit':
      await requireWriting(visit, context);
      return editedPage(visit, context);
    default:
      return wikiPage(visit, context);
  }
}

async function requireWriting(visit: RepositoryVisit, context: Context): Promise<void> {
  for (const need of writing) await need.check(visit, context);
}
