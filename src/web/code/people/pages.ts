import { canRead, signedIn, starsOn } from '../../../access/requirements.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import { presentUsers } from '../../../accounts/users/present.ts';
import type { Context } from '../../../context.ts';
import type { User } from '../../../database/tables/accounts.ts';
import { HttpError } from '../../../http/errors.ts';
import type { Page } from '../../../http/paging.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { organizationToCreateIn } from '../../../repositories/create-in-organization.ts';
import { forkRepository, listForks } from '../../../repositories/forks/forks.ts';
import { listStargazers } from '../../../repositories/stars/stars.ts';
import { listWatchers } from '../../../repositories/watches/watches.ts';
import { fault } from '../../components/fault.ts';
import { field, postForm } from '../../components/form.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { personRows } from '../../components/person-rows.ts';
import { repositoryRows } from '../../components/repository-rows.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import { repositoryDocument } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';

const MAX_NAME = 100;

/** Watchers, stars and forks of a repository, and forking it. */
export const followerPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/stars',
    needs: [starsOn],
    get: (visit, context) => {
      const { stars_count: total } = visit.repository;
      return peoplePage(visit, context, { title: visit.view.text.repository.stars(total), total, list: listStargazers });
    },
  }),
  ...repositoryPage({
    path: '/:owner/:repo/watchers',
    get: (visit, context) => {
      const { watchers_count: total } = visit.repository;
      return peoplePage(visit, context, { title: visit.view.text.repository.watchers(total), total, list: listWatchers });
    },
  }),
  ...repositoryPage({ path: '/:owner/:repo/forks', needs: [canRead('code')], get: forksPage }),
  ...repositoryPage({
    path: '/:owner/:repo/fork',
    needs: [signedIn, canRead('code')],
    get: async (visit, context) => forkForm(visit, context),
    post: fork,
  }),
];

interface People {
  readonly title: string;
  readonly total: number;
  readonly list: (context: Context, repository: RepositoryVisit['repository'], page: Page) => Promise<User[]>;
}

async function peoplePage(visit: RepositoryVisit, context: Context, { title, total, list }: People): Promise<Document> {
  const page = requestedPage(visit, context.settings);
  const people = presentUsers(context, await list(context, visit.repository, page));
  const rows = personRows(visit.view, people);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title,
    body: html`<h2>${title}</h2>${listOrEmpty(visit, page, { total, rows, empty: visit.view.text.refs.nobody })}`,
  });
}

async function forksPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository } = visit;
  const page = requestedPage(visit, context.settings);
  const { repositories, total } = await listForks(context, repository, page);
  const title = view.text.repository.forks(total);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title,
    body: html`<h2>${title}</h2>${listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty: view.text.refs.noForks })}`,
  });
}

async function forkForm(visit: RepositoryVisit, context: Context, failed?: string): Promise<Document> {
  const { view, repository, fields } = visit;
  const { text } = view;
  const form = html`${field({ name: 'organization', label: text.refs.forkOwner, value: fields.get('organization') ?? '', hint: text.refs.forkOwnerHint, maxLength: MAX_NAME })}
${field({ name: 'name', label: text.refs.forkName, value: fields.get('name') ?? repository.name, isRequired: true, maxLength: MAX_NAME })}
<button class="primary">${text.refs.forkNow}</button>`;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.refs.forkTitle,
    ...(failed !== undefined && { status: 422 }),
    body: html`<h2>${text.refs.forkTitle}</h2>${failed !== undefined && fault(view, failed)}${postForm(view, form, { className: 'fork-form' })}`,
  });
}

async function fork(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { repository, fields } = visit;
  const organization = (fields.get('organization') ?? '').trim();
  try {
    const actor = signedInActor(context);
    const owner = organization === '' ? actor : await organizationToCreateIn(context, organization, actor);
    const made = await forkRepository(context, repository, owner, (fields.get('name') ?? '').trim() || repository.name);
    return seeOther(context, `${encodeURIComponent(owner.name)}/${encodeURIComponent(made.name)}`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return forkForm(visit, context, error.message || visit.view.text.refs.noOwner);
  }
}
