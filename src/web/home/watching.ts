import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { isNarrowed, readRepositoryChoice, repositorySearchForm, searchOf } from '../components/repository-search.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { badges, repositoryPath } from '../repository/frame.ts';
import { plainPage } from '../resource-pages.ts';
import { icon, path } from '../view.ts';
import { notificationTabs } from './notification-tabs.ts';

/** The repositories that the user watches, each with an unwatch button. */
export const watchingPages: readonly AnyRoute[] = plainPage({ path: '/notifications/watching', needs: [signedIn], get: watching });

async function watching(visit: Visit, context: Context): Promise<Document> {
  const { view } = visit;
  const { people, repository: text } = view.text;
  const page = requestedPage(visit, context.settings);
  const choice = readRepositoryChoice(visit.fields);
  const search = { ...searchOf(choice), watchedById: signedInActor(context).id, includePrivate: true };
  const { repositories, total } = await searchRepositories(context, search, page);
  const rows = repositories.map((repository) => {
    const { owner, name, description } = repository;
    const unwatch = actionButton(view, {
      action: repositoryPath(view, repository, 'action/unwatch'),
      label: html`${icon(view, 'eye-closed')} ${text.unwatch}`,
      fields: { back: view.here },
      title: people.unwatch(`${owner.name}/${name}`),
    });
    return html`<li><div class="grow"><a href="${repositoryPath(view, repository)}">${owner.name}/${name}</a> ${badges(view, repository)}
${description !== '' && html`<div class="muted">${description}</div>`}</div><span class="push">${unwatch}</span></li>`;
  });
  const isFiltered = isNarrowed(choice);
  return {
    title: people.watching,
    layout: 'page',
    body: html`<h1>${people.watching}</h1>${notificationTabs(view, 'watching')}
<div class="tab-body">${(isFiltered || total > 0) && repositorySearchForm(view, path(view, 'notifications/watching'), choice)}
${listOrEmpty(visit, page, { total, rows: html`<ul class="rows box">${rows}</ul>`, empty: isFiltered ? people.noneFound : people.watchingNothing })}</div>`,
  };
}
