import { anyRead } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listIssues } from '../../issues/list.ts';
import { countMilestones, listMilestones } from '../../issues/milestones/milestones.ts';
import { presentMilestone } from '../../issues/milestones/present.ts';
import { presentIssues } from '../../issues/present.ts';
import { day } from '../components/numbers.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { icon, type View } from '../view.ts';
import { administration, milestoneFormPages } from './milestone-form.ts';
import { mayWrite, milestoneOf } from './milestone-of.ts';
import { renderComment } from './render.ts';
import { dueDate, issueRows } from './rows.ts';
import type { ShownMilestone } from './shown.ts';
import { percentDone } from './side-bar.ts';

/** The milestones of a repository, and each with its issues. */
export const milestonePages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/milestones', needs: [anyRead], get: milestoneList }),
  ...repositoryPage({ path: '/:owner/:repo/milestone/:id(^[0-9]+$)', needs: [anyRead], semaphore: 'renders', get: milestonePage }),
  ...milestoneFormPages,
];

async function milestoneList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const { issues: text } = view.text;
  const isClosed = fields.get('state') === 'closed';
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const { milestones, total } = await listMilestones(context, repository, { isClosed }, page);
  const other = await countMilestones(context, repository, !isClosed);
  const [open, closed] = isClosed ? [other, total] : [total, other];
  const base = repositoryPath(view, repository, 'milestones');
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.milestones,
    body: html`<div class="row list-bar"><h2>${text.milestones}</h2>
${mayWrite(visit) && html`<a class="button primary push" href="${base}/new">${text.newMilestone}</a>`}</div>
<section class="box" aria-label="${text.milestones}"><header class="list-head">${tabs(view, text.states, [
      { href: base, label: text.open(open), isCurrent: !isClosed },
      { href: `${base}?state=closed`, label: text.closed(closed), isCurrent: isClosed },
    ])}</header>
${
  milestones.length > 0
    ? html`<ul class="rows">${milestones.map((milestone) => html`<li class="milestone-row">${milestoneSummary(view, presentMilestone(milestone), repositoryPath(view, repository, `milestone/${milestone.id}`))}</li>`)}</ul>`
    : html`<div class="empty plain-empty"><p><strong>${text.noMilestones}</strong></p><p>${text.noMilestonesHint}</p></div>`
}</section>
${pageLinks(view, { ...page, total })}`,
  });
}

/** The title, the date and the progress of a milestone. */
export function milestoneSummary(view: View, milestone: ShownMilestone, href: string): Html {
  return html`<h3><a class="issue-title" href="${href}">${milestone.title}</a></h3>
<div class="milestone-facts">${progress(view, milestone)}</div>`;
}

/** How far a milestone is, and when it is due. */
export function progress(view: View, milestone: ShownMilestone): Html {
  const { issues: text } = view.text;
  const percent = percentDone(milestone);
  const when =
    milestone.state === 'closed' && milestone.closed_at
      ? html`${icon(view, 'check')} ${text.closedOn(day(view, milestone.closed_at))}`
      : milestone.due_on
        ? dueDate(view, milestone.due_on, milestone.state)
        : text.noDueDate;
  return html`<progress max="100" value="${percent}" aria-label="${text.closedPart(percent)}"></progress>
<p class="row muted"><span>${text.closedPart(percent)}</span><span>${text.open(milestone.open_issues)}</span><span>${text.closed(milestone.closed_issues)}</span><span>${when}</span></p>`;
}

async function milestonePage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const { issues: text } = view.text;
  const milestone = presentMilestone(await milestoneOf(visit, context));
  const base = repositoryPath(view, repository, `milestone/${milestone.id}`);
  const isClosed = fields.get('state') === 'closed';
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = { ...kindsOf(visit), isClosed, milestoneIds: [milestone.id] };
  const { issues, total } = await listIssues(context, repository, filter, page);
  const label = (id: number) => `${repositoryPath(view, repository, 'issues')}?labels=${id}&milestone=${milestone.id}`;
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: milestone.title,
    body: html`<div class="row list-bar"><h2 class="issue-heading">${milestone.title}</h2>${mayWrite(visit) && administration(visit, milestone)}</div>
<div class="milestone-facts">${progress(view, milestone)}</div>
${milestone.description !== '' && (await renderComment(context, visit, milestone.description))}
<section class="box" aria-label="${text.issues}"><header class="list-head">${tabs(view, text.states, [
      { href: base, label: text.open(milestone.open_issues), isCurrent: !isClosed },
      { href: `${base}?state=closed`, label: text.closed(milestone.closed_issues), isCurrent: isClosed },
    ])}</header>
${issues.length > 0 ? issueRows(view, await presentIssues(context, issues), { labelHref: label }) : html`<div class="empty plain-empty">${text.nothingHere}</div>`}</section>
${pageLinks(view, { ...page, total })}`,
  });
}

/** Issues and pull requests, as far as the reader may read them. */
function kindsOf({ access }: RepositoryVisit): { isPull?: boolean } {
  const [issues, pulls] = [access.canRead('issues'), access.canRead('pulls')];
  if (!issues && !pulls) throw notFound();
  return issues && pulls ? {} : { isPull: pulls };
}
