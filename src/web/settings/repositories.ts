import { listUnadopted } from '../../admin/unadopted/unadopted.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { storageUsed } from '../../repositories/storage-used.ts';
import { adoptOrDelete, unadoptedButton } from '../admin/unadopted.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { bytes } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import { badges, repositoryPath } from '../repository/frame.ts';
import { accountSection, type OwnVisit } from './area.ts';

const section = accountSection('repos');
/** Unadopted repositories that are shown; the rest comes when these are adopted. */
const MAX_UNADOPTED = 100;

/** The user's own repositories, and their size. */
export const ownRepositoryPages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    unadopted: {
      send: async (visit, context) => {
        const { user, fields } = visit;
        const may = mayAdopt(context, user);
        if (!(fields.get('action') === 'delete' ? may.remove : may.adopt))
          throw forbidden('administrators alone decide about unadopted repositories');
        // Of the caller alone: the name has no owner.
        await adoptOrDelete(visit, context, user.name, fields.get('id') ?? '');
      },
    },
  },
});

/** Whether the settings let users adopt or delete unadopted repositories under their name. */
function mayAdopt({ settings: { repository } }: Context, user: User): { adopt: boolean; remove: boolean } {
  return {
    adopt: user.is_admin || repository.adoptionByOwners,
    remove: user.is_admin || repository.unadoptedDeletionByOwners,
  };
}

/** Unadopted repositories under the user's name, for users who may adopt or delete them. */
async function unadopted(visit: OwnVisit, context: Context): Promise<Html | false> {
  const { view, user } = visit;
  const may = mayAdopt(context, user);
  if (!may.adopt && !may.remove) return false;
  const { names } = await listUnadopted(context, user.lower_name, { page: 1, limit: MAX_UNADOPTED, offset: 0 });
  if (names.length === 0) return false;
  const action = section.href(visit, 'unadopted');
  const text = view.text.owners;
  return html`<h2>${text.unadopted}</h2><p>${text.ownUnadoptedHint}</p><ul class="rows box">${names.map((full) => {
    const name = full.slice(user.lower_name.length + 1);
    return html`<li><code>${name}</code><span class="push buttons">${may.adopt && unadoptedButton(view, { action, name, act: 'adopt' })}${may.remove && unadoptedButton(view, { action, name, act: 'delete' })}</span></li>`;
  })}</ul>`;
}

async function show(visit: OwnVisit, context: Context, problem?: Problem): Promise<Html> {
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
<span class="push row"><span class="muted nowrap">${bytes(view, repository.size + repository.lfs_size)}</span>
<a class="button" href="${repositoryPath(view, repository, 'settings')}" aria-label="${common.settings}: ${repository.name}">${common.settings}</a></span></li>`,
  )}</ul>`;
  return html`<p>${text.storage(bytes(view, git), bytes(view, lfs))}</p>${listOrEmpty(visit, page, { total, rows, empty: view.text.people.noRepositories })}
${failed(view, problem, 'unadopted')}${await unadopted(visit, context)}`;
}
