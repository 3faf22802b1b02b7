import { orgVisible, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listMilestonesEverywhere } from '../../issues/milestones/everywhere.ts';
import { presentMilestone } from '../../issues/milestones/present.ts';
import { requestedPage } from '../components/list-page.ts';
import { pageLinks } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { userPage, type Visit } from '../page.ts';
import { repositoryPath } from '../repository/frame.ts';
import { organizationPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { milestoneBar, milestoneSummary, readMilestoneChoice } from './milestone-list.ts';

/** The milestones of all repositories of the reader, or of those of an organization. */
export const milestoneDashboardPages: readonly AnyRoute[] = [
  ...userPage({ path: '/milestones', semaphore: 'searches', get: (visit, context) => dashboard(visit, context) }),
  ...organizationPage({
    path: '/org/:org/milestones',
    needs: [signedIn, orgVisible()],
    semaphore: 'searches',
    get: ({ organization, ...visit }, context) => dashboard(visit, context, organization),
  }),
];

async function dashboard(visit: Visit, context: Context, organization?: User): Promise<Document> {
  const { view } = visit;
  const { issues: text } = view.text;
  const choice = readMilestoneChoice(visit.fields);
  const { isClosed, q, sort } = choice;
  const page = requestedPage(visit, context.settings);
  const filter = { organization, name: q };
  const { milestones, total } = await listMilestonesEverywhere(context, { ...filter, isClosed }, page, sort);
  const { total: other } = await listMilestonesEverywhere(context, { ...filter, isClosed: !isClosed }, { ...page, limit: 1 }, sort);
  const base = path(view, organization ? `org/${encodeURIComponent(organization.name)}/milestones` : 'milestones');
  const title = organization ? text.milestonesOf(organization.name) : text.yourMilestones;
  return {
    title,
    layout: 'page',
    body: html`<h1>${title}</h1><h2 class="visually-hidden">${text.milestones}</h2>
${milestoneBar(view, base, choice, isClosed ? [other, total] : [total, other], {
  rows: milestones.map(
    ({ milestone, repository }) =>
      html`<li class="milestone-row">${milestoneSummary(view, presentMilestone(milestone), repositoryPath(view, repository, `milestone/${milestone.id}`), `${repository.owner.name}/${repository.name}`)}</li>`,
  ),
})}
${pageLinks(view, { ...page, total })}`,
  };
}
