import { anyRead } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listIssues } from '../../issues/list.ts';
import { burnDown } from '../../issues/milestones/burn-down.ts';
import { listMilestones } from '../../issues/milestones/milestones.ts';
import { presentMilestone } from '../../issues/milestones/present.ts';
import { presentIssues } from '../../issues/present.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { burnDownPlot } from './burn-down.ts';
import { administration, milestoneFormPages } from './milestone-form.ts';
import { milestoneBar, milestoneSummary, progress, readMilestoneChoice } from './milestone-list.ts';
import { mayWrite, milestoneOf } from './milestone-of.ts';
import { renderComment } from './render.ts';
import { issueRows } from './rows.ts';

/** The milestones of a repository, and each with its issues. */
export const milestonePages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/milestones', needs: [anyRead], get: milestoneList }),
  ...repositoryPage({ path: '/:owner/:repo/milestone/:id(^[0-9]+$)', needs: [anyRead], semaphore: 'renders', get: milestonePage }),
  ...milestoneFormPages,
];

async function milestoneList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository } = visit;
  const { issues: text } = view.text;
  const choice = readMilestoneChoice(visit.fields);
  const { isClosed, q, sort } = choice;
  const page = pageOf(context, { page: Number(visit.fields.get('page')) || 1 });
  const { milestones, total } = await listMilestones(context, repository, { isClosed, name: q }, page, sort);
  const { total: other } = await listMilestones(context, repository, { isClosed: !isClosed, name: q }, { ...page, limit: 1 });
  const base = repositoryPath(view, repository, 'milestones');
  const row = (milestone: (typeof milestones)[number]) =>
    html`<li class="milestone-row">${milestoneSummary(view, presentMilestone(milestone), repositoryPath(view, repository, `milestone/${milestone.id}`))}</li>`;
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.milestones,
    body: html`<div class="row list-bar"><h2>${text.milestones}</h2>
${mayWrite(visit) && html`<a class="button primary push" href="${base}/new">${text.newMilestone}</a>`}</div>
${milestoneBar(view, base, choice, isClosed ? [other, total] : [total, other], { rows: milestones.map(row) })}
${pageLinks(view, { ...page, total })}`,
  });
}

async function milestonePage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const { issues: text } = view.text;
  const stored = await milestoneOf(visit, context);
  const milestone = presentMilestone(stored);
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
${burnDownPlot(view, await burnDown(context, stored), stored.deadline_at)}
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
