import type { Context } from '../../context.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { countMatching, listIssues } from '../../issues/list.ts';
import { presentIssues } from '../../issues/present.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { choicesOf } from '../issues/choices.ts';
import { choiceFields, choiceQuery, filterOf, isFiltered, type ListChoice, readChoice } from '../issues/list-choice.ts';
import { chosen, filterMenus } from '../issues/list-filters.ts';
import { issueRows } from '../issues/rows.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

/** The pull requests of a repository. */
export const pullListPages: readonly AnyRoute[] = repositoryPage({ path: '/:owner/:repo/pulls', needs: pullsOn, get: pullList });

async function pullList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const { pulls: text } = view.text;
  const base = repositoryPath(view, repository, 'pulls');
  const choice = readChoice(fields);
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = await filterOf(context, repository, choice, true);
  const { issues, total } = await listIssues(context, repository, filter, page, choice.sort);
  const shown = await presentIssues(context, issues);
  const choices = await choicesOf(context, repository);
  const rows = issueRows(view, shown, {
    labelHref: (id) => base + choiceQuery({ ...choice, labels: [...new Set([...choice.labels, id])] }),
    milestoneHref: (id) => base + choiceQuery({ ...choice, milestone: id }),
  });
  return repositoryDocument(visit, context, {
    tab: 'pulls',
    title: text.pulls,
    body: html`<h2 class="visually-hidden">${text.pulls}</h2>
${await toolBar(visit, context, base, choice)}
<section class="box" aria-label="${text.pulls}"><header class="list-head">${await stateTabs(visit, context, { base, choice, total })}
<div class="push row" role="group" aria-label="${view.text.issues.filters}">${filterMenus(view, base, choice, choices)}</div></header>
${chosen(view, base, choice, choices)}
${shown.length > 0 ? rows : emptyList(visit, base, choice)}
</section>
${pageLinks(view, { ...page, total })}`,
  });
}

async function toolBar({ view, repository }: RepositoryVisit, context: Context, base: string, choice: ListChoice): Promise<Html> {
  const { pulls: text } = view.text;
  const others = choiceFields(choice).filter(([name]) => name !== 'q');
  const canOpen = context.actor !== null && !repository.is_archived;
  return html`<div class="row list-bar">
<form class="list-search" role="search" action="${base}" aria-label="${text.search}">${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="search" name="q" value="${choice.q}" maxlength="1000" aria-label="${text.search}" placeholder="${text.search}"></form>
${canOpen && html`<span class="push row"><a class="button primary" href="${repositoryPath(view, repository, 'pulls/new')}" data-key="c">${text.newPull}</a></span>`}</div>`;
}

async function stateTabs(
  { view, repository }: RepositoryVisit,
  context: Context,
  { base, choice, total }: { base: string; choice: ListChoice; total: number },
): Promise<Html> {
  const { issues: text } = view.text;
  const countOf = async (state: 'open' | 'closed') =>
    choice.state === state ? total : countMatching(context, repository, await filterOf(context, repository, { ...choice, state }, true));
  const [open, closed] = [await countOf('open'), await countOf('closed')];
  const tab = (state: ListChoice['state'], label: string) => ({
    href: base + choiceQuery({ ...choice, state }),
    label,
    isCurrent: choice.state === state,
  });
  return tabs(view, text.states, [tab('open', text.open(open)), tab('closed', text.closed(closed)), tab('all', text.all)]);
}

function emptyList({ view, repository }: RepositoryVisit, base: string, choice: ListChoice): Html {
  const { pulls: text, issues } = view.text;
  if (isFiltered(choice)) {
    return html`<div class="empty plain-empty"><p>${issues.noneMatch}</p><a href="${base}">${issues.clearFilters}</a></div>`;
  }
  const isNone = repository.pulls_count === 0;
  return html`<div class="empty plain-empty"><p>${isNone ? text.none : issues.noneMatch}</p>${isNone && html`<p>${text.noneHint}</p>`}</div>`;
}
