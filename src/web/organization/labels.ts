import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listLabels } from '../../issues/labels/labels.ts';
import { presentLabel } from '../../issues/labels/present.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import { labelChip } from '../issues/label.ts';
import { changeLabels, labelEdit, labelTemplates, newLabel } from '../issues/label-changes.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { OrganizationVisit } from '../resource-pages.ts';
import { organizationSection } from './settings-frame.ts';

/** The labels that all repositories of an organization have. */
export const organizationLabelPages: readonly AnyRoute[] = organizationSection('labels').pages({
  show,
  forms: { '': { send: (visit, context) => changeLabels(visit, context, { organization: visit.organization }) } },
});

async function show(visit: OrganizationVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, organization, fields } = visit;
  const page = requestedPage(visit, context.settings);
  const { labels, total } = await listLabels(context, { organization }, page);
  const rows = html`<ul class="rows box">${labels.map(
    (label) => html`<li class="label-row">${labelChip(view, presentLabel(context, label, { owner: organization, name: '' }))}
<span class="muted grow">${label.description}</span>${labelEdit(view, label)}</li>`,
  )}</ul>`;
  return html`<p>${view.text.owners.labelsHint}</p>${failed(view, problem, '')}
${newLabel(view, fields, problem !== undefined && fields.get('do') === 'create')}
${listOrEmpty(visit, page, { total, rows, empty: view.text.issues.noLabels })}${total === 0 && labelTemplates(view)}`;
}
