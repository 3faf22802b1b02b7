import type { Context } from '../../context.ts';
import type { Page } from '../../http/paging.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { listOrEmpty } from '../components/list-page.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import type { Html } from '../html.ts';
import type { AccountVisit } from '../resource-pages.ts';

/** The repositories that an account owns, as the reader may see them. */
export async function ownRepositories(visit: AccountVisit, context: Context, page: Page): Promise<Html> {
  const { user, view } = visit;
  const search = {
    ownerId: user.id,
    collaborative: false,
    includePrivate: context.actor !== null,
    order: { by: 'updated', direction: 'desc' },
  } as const;
  const { repositories, total } = await searchRepositories(context, search, page);
  return listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty: view.text.people.noRepositories });
}
