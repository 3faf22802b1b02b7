import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { canCreateOrganizations } from '../../organizations/create.ts';
import { listOrganizationsOf } from '../../organizations/list.ts';
import { presentOrganization } from '../../organizations/present.ts';
import { avatar } from '../components/avatar.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import { organizationPagePath } from '../organization/frame.ts';
import { path } from '../view.ts';
import { accountSection, type OwnVisit } from './area.ts';

/** The organizations that the caller is a member of. */
export const ownOrganizationPages: readonly AnyRoute[] = accountSection('organization').pages({ show });

async function show(visit: OwnVisit, context: Context): Promise<Html> {
  const { view, user } = visit;
  const { owners: text, common } = view.text;
  const page = requestedPage(visit, context.settings);
  const { organizations, total } = await listOrganizationsOf(context, user, page);
  const leave = (organization: { name: string }) =>
    actionButton(view, {
      action: path(view, organizationPagePath(organization, 'members/action/leave')),
      label: text.leave,
      title: text.leaveNamed(organization.name),
      className: 'danger',
    });
  const rows = html`<ul class="rows box">${organizations.map((organization) => {
    const { avatar_url } = presentOrganization(context, organization);
    return html`<li>${avatar(view, { login: organization.name, avatar_url }, 24)}
<div><a href="${path(view, encodeURIComponent(organization.name))}"><strong>${organization.name}</strong></a> ${organization.full_name}</div>
<span class="push">${leave(organization)}</span></li>`;
  })}</ul>`;
  const create = html`<p><a class="button" href="${path(view, 'org/create')}">${common.newOrganization}</a></p>`;
  return html`${canCreateOrganizations(context, user) && create}${listOrEmpty(visit, page, { total, rows, empty: view.text.people.noOrganizations })}`;
}
