import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { storageUsed } from '../../repositories/storage-used.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { bytes } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { badges, repositoryPath } from '../repository/frame.ts';
import { accountSection, type OwnVisit } from './area.ts';

/** The caller's own repositories, and what they take. */
export const ownRepositoryPages: readonly AnyRoute[] = accountSection('repos').pages({ show });

async function show(visit: OwnVisit, context: Context): Promise<Html> {
  const { view, user } = visit;
  const { owners: text, common } = view.text;
  const page = requestedPage(visit, context.settings);
  const search = { ownerId: user.id, collaborative: false, includePrivate: true, order: { by: 'size', direction: 'desc' } } as const;
  const { repositories, total } = await searchRepositories(context, search, page);
  const { git, lfs } = await storageUsed(context, user);
  const rows = html`<ul class="rows box">${repositories.map(
    (
      repository,
    ) => html`<li><div><a href="${repositoryPath(view, repository)}"><strong>${repository.name}</strong></a> ${badges(view, repository)}</div>
<span class="push muted nowrap">${bytes(view, repository.size + repository.lfs_size)}</span>
<a class="button" href="${repositoryPath(view, repository, 'settings')}" aria-label="${common.settings}: ${repository.name}">${common.settings}</a></li>`,
  )}</ul>`;
  return html`<p>${text.storage(bytes(view, git), bytes(view, lfs))}</p>${listOrEmpty(visit, page, { total, rows, empty: view.text.people.noRepositories })}`;
}
