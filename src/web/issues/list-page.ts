import { canRead, canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listIssues } from '../../issues/list.ts';
import { listPinned } from '../../issues/pins/pins.ts';
import { presentIssues } from '../../issues/present.ts';
import { pageLinks } from '../components/pages.ts';
import { titleText } from '../components/title.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { notice } from '../page.ts';
import { issuesHere } from '../repository/elsewhere.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { icon, localUrl, path } from '../view.ts';
import { BULK, bulkForm, changeSelected } from './bulk.ts';
import { choicesOf } from './choices.ts';
import { filterOf, isFiltered, type ListChoice, readChoice } from './list-choice.ts';
import { chosen, filterMenus } from './list-filters.ts';
import { type ChosenList, noneMatch, rowLinks, savedOf, searchForm, stateTabs } from './list-parts.ts';
import { issueRows } from './rows.ts';
import { stateIcon } from './shown.ts';

/** The issues of a repository. */
export const issueListPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/issues',
  needs: [issuesHere, canRead('issues')],
  get: issueList,
  postNeeds: [signedIn, canWrite('issues'), notArchived],
  post: async (visit, context) => changeSelected(visit, context, false),
});

async function issueList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access, fields } = visit;
  const { issues: text } = view.text;
  const base = repositoryPath(view, repository, 'issues');
  const choice = readChoice(fields, view.user);
  const list = { base, choice, isPull: false };
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = await filterOf(context, visit, choice, false);
  const { issues, total } = await listIssues(context, repository, filter, page, choice.sort);
  const shown = await presentIssues(context, issues);
  const choices = await choicesOf(context, visit);
  const canChange = access.canWrite('issues') && !repository.is_archived && shown.length > 0;
  const changed = Number(fields.get('changed'));
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.issues,
    ...(context.settings.repository.feedsEnabled && { feeds: feedsOf(visit) }),
    body: html`<h2 class="visually-hidden">${text.issues}</h2>
${changed > 0 && changed <= page.limit && notice(text.changed(changed))}
${toolBar(visit, list)}
${await pinned(visit, context)}
<section class="box" aria-label="${text.issues}"><header class="list-head">${await stateTabs(visit, context, list, total)}
<div class="push row" role="group" aria-label="${text.filters}">${filterMenus(view, list, choice, choices)}${await savedOf(visit, context, list)}</div>${canChange && bulkForm(view, choices)}</header>
${chosen(view, base, choice, choices)}
${shown.length > 0 ? issueRows(view, shown, { ...(canChange && { form: BULK }), ...rowLinks(list) }) : emptyList(visit, base, choice)}
</section>
${pageLinks(view, { ...page, total })}`,
  });
}

function feedsOf({ view, repository }: RepositoryVisit) {
  const own = repositoryPath(view, repository);
  return (['atom', 'rss'] as const).map((type) => ({ type, href: `${own}.${type}`, title: view.text.issues.feed }));
}

/** The search, and the other actions. */
function toolBar({ view, repository }: RepositoryVisit, list: ChosenList): Html {
  const { issues: text } = view.text;
  return html`<div class="row list-bar">
${searchForm(list, text.searchIssues)}
<span class="push row">
<a class="button" href="${repositoryPath(view, repository, 'labels')}">${icon(view, 'tag')} ${text.labels}</a>
<a class="button" href="${repositoryPath(view, repository, 'milestones')}">${icon(view, 'milestone')} ${text.milestones}</a>
${!repository.is_archived && html`<a class="button primary" href="${repositoryPath(view, repository, 'issues/new/choose')}" data-key="c">${text.newIssue}</a>`}</span></div>`;
}

function emptyList({ view, repository }: RepositoryVisit, base: string, choice: ListChoice): Html {
  const { issues: text } = view.text;
  if (isFiltered(choice)) return noneMatch(view, base);
  if (repository.issues_count > 0) return html`<div class="empty plain-empty"><p>${text.noneOpen}</p></div>`;
  return html`<div class="empty plain-empty"><p><strong>${text.noIssues}</strong></p><p>${text.noIssuesHint}</p>
${!repository.is_archived && html`<a href="${path(view, `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}/issues/new/choose`)}">${text.newIssue}</a>`}</div>`;
}

async function pinned({ view, repository }: RepositoryVisit, context: Context): Promise<Html | false> {
  const shown = await presentIssues(context, await listPinned(context, repository, 'issues'));
  if (shown.length === 0) return false;
  return html`<section aria-label="${view.text.issues.pinned}"><ul class="pinned">${shown.map(
    (
      issue,
    ) => html`<li>${stateIcon(view, issue)} <a class="issue-title" href="${localUrl(view, issue.html_url)}">${titleText(issue.title)}</a>
<span class="muted nowrap">#${issue.number}</span> <span class="push muted">${icon(view, 'pin')}</span></li>`,
  )}</ul></section>`;
}
