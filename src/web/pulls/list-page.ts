import { canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listIssues } from '../../issues/list.ts';
import { presentIssues } from '../../issues/present.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { recentBranchNotices } from '../code/recent-branches.ts';
import { pageLinks } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { BULK, bulkForm, changeSelected } from '../issues/bulk.ts';
import { choicesOf } from '../issues/choices.ts';
import { filterOf, isFiltered, type ListChoice, readChoice } from '../issues/list-choice.ts';
import { chosen, filterMenus } from '../issues/list-filters.ts';
import { type ChosenList, noneMatch, rowLinks, savedOf, searchForm, stateTabs } from '../issues/list-parts.ts';
import { issueRows } from '../issues/rows.ts';
import { notice } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { pullFacts } from './row-facts.ts';

/** The pull requests of a repository. */
export const pullListPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls',
  needs: pullsOn,
  get: pullList,
  postNeeds: [signedIn, canWrite('pulls'), notArchived],
  post: async (visit, context) => changeSelected(visit, context, true),
});

async function pullList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access, fields } = visit;
  const { pulls: text } = view.text;
  const base = repositoryPath(view, repository, 'pulls');
  const choice = readChoice(fields, view.user);
  const list = { base, choice, isPull: true };
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = await filterOf(context, visit, choice, true);
  const { issues, total } = await listIssues(context, repository, filter, page, choice.sort);
  const shown = await presentIssues(context, issues);
  const choices = await choicesOf(context, visit);
  const canChange = access.canWrite('pulls') && !repository.is_archived && shown.length > 0;
  const changed = Number(fields.get('changed'));
  return repositoryDocument(visit, context, {
    tab: 'pulls',
    title: text.pulls,
    body: html`<h2 class="visually-hidden">${text.pulls}</h2>
${changed > 0 && changed <= page.limit && notice(view.text.issues.changed(changed))}
${await recentBranchNotices(visit, context)}${toolBar(visit, context, list)}
<section class="box" aria-label="${text.pulls}"><header class="list-head">${await stateTabs(visit, context, list, total)}
<div class="push row" role="group" aria-label="${view.text.issues.filters}">${filterMenus(view, list, choice, choices)}${await savedOf(visit, context, list)}</div>${canChange && bulkForm(view, choices)}</header>
${chosen(view, base, choice, choices)}
${shown.length > 0 ? issueRows(view, shown, { ...(canChange && { form: BULK }), ...rowLinks(list), more: await pullFacts(view, context, issues) }) : emptyList(visit, base, choice)}
</section>
${pageLinks(view, { ...page, total })}`,
  });
}

function toolBar({ view, repository }: RepositoryVisit, context: Context, list: ChosenList): Html {
  const { pulls: text } = view.text;
  const canOpen = context.actor !== null && !repository.is_archived;
  return html`<div class="row list-bar">
${searchForm(list, text.search)}
${canOpen && html`<span class="push row"><a class="button primary" href="${repositoryPath(view, repository, 'pulls/new')}" data-key="c">${text.newPull}</a></span>`}</div>`;
}

function emptyList({ view, repository }: RepositoryVisit, base: string, choice: ListChoice): Html {
  const { pulls: text, issues } = view.text;
  if (isFiltered(choice)) return noneMatch(view, base);
  const isNone = repository.pulls_count === 0;
  return html`<div class="empty plain-empty"><p>${isNone ? text.none : issues.noneMatch}</p>${isNone && html`<p>${text.noneHint}</p>`}</div>`;
}
