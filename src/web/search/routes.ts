import { canRead, explore } from '../../access/requirements.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { indexState } from '../../search/index/state.ts';
import type { Settings } from '../../settings.ts';
import type { Document } from '../document.ts';
import { explored } from '../explore/frame.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type AccountVisit, accountPage, plainPage, type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { searchView } from './search-view.ts';

const isOn = ({ codeSearch }: Settings) => codeSearch.enabled;

/** Search in the code of a repository, of an owner, and of the instance. */
export const searchPages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/search', needs: [canRead('code')], when: isOn, semaphore: 'searches', get: ofRepository }),
  ...accountPage({ path: '/:username/-/code', needs: [explore], when: isOn, semaphore: 'searches', get: ofOwner }),
  ...plainPage({ path: '/explore/code', needs: [explore], when: isOn, semaphore: 'searches', get: ofInstance }),
];

async function ofRepository(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository } = visit;
  const { search } = view.text;
  const state = await indexState(context, repository);
  const { body, status } = await searchView(visit, context, {
    scope: { repositoryId: repository.id },
    action: repositoryPath(view, repository, 'search'),
    label: search.inRepository,
    notice: state === 'whole' ? undefined : search[state],
  });
  return repositoryDocument(visit, context, { tab: 'code', title: search.searchCode, status, body });
}

async function ofOwner(visit: AccountVisit, context: Context): Promise<Document> {
  const { view, user } = visit;
  if (!(await isUserVisible(context.db, user, context.actor))) throw notFound();
  const name = encodeURIComponent(user.name);
  const label = view.text.search.inCodeOf(user.name);
  const { body, status } = await searchView(visit, context, {
    scope: { ownerId: user.id },
    action: path(view, `${name}/-/code`),
    label,
  });
  return {
    title: label,
    layout: 'page',
    status,
    body: html`<p class="package-path"><a href="${path(view, name)}">${user.name}</a></p><h1>${view.text.search.code}</h1>${body}`,
  };
}

async function ofInstance(visit: Visit, context: Context): Promise<Document> {
  const { view } = visit;
  const { search } = view.text;
  const { body, status } = await searchView(visit, context, { scope: {}, action: path(view, 'explore/code'), label: search.searchCode });
  return { ...explored(view, context, { current: 'code', title: search.searchCode, body }), status };
}
