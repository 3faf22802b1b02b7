import { signedIn } from '../../access/requirements.ts';
import { endGrant, type GrantedApplication, listGrants } from '../../accounts/oauth2/grants.ts';
import { createToken, deleteToken } from '../../accounts/tokens/tokens.ts';
import type { Context } from '../../context.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { confirmPassword } from '../accounts/confirm-password.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { applicationForms, applicationList, singleApplicationPages } from '../manage/oauth2.ts';
import type { Problem } from '../manage/section.ts';
import { accountSection, type OwnVisit } from './area.ts';
import { madeToken, tokenSection, typedToken } from './tokens.ts';

const section = accountSection('applications');
const place = { needs: [signedIn], ownerOf: ({ user }: OwnVisit) => user };

/** Access tokens, the applications that may act for an account, and those that it has registered. */
export const applicationPages: readonly AnyRoute[] = [
  ...section.pages({
    show: (visit, context, problem) => overview(visit, context, { problem }),
    forms: {
      '': {
        send: async (visit, context) => {
          // A token outlives the session, so an open browser is not enough.
          await confirmPassword(visit, context);
          const { value } = await createToken(context, visit.user, typedToken(visit));
          return overview(visit, context, { value });
        },
      },
      delete: { send: ({ user, fields }, context) => deleteToken(context, user, fields.get('id') ?? '') },
      ...applicationForms(section, place),
    },
  }),
  ...singleApplicationPages(section, place),
  ...section.pages({
    sub: 'oauth2/:id(^[0-9]+$)/revoke/:grant(^[0-9]+$)',
    forms: { '': { send: ({ user, params }, context) => endGrant(context, user, pathId(params.grant ?? '')) } },
  }),
];

async function overview(
  visit: OwnVisit,
  context: Context,
  { value, problem }: { value?: string; problem?: Problem | undefined },
): Promise<Html> {
  const { owners, security } = visit.view.text;
  const tokens = await tokenSection(visit, context, problem);
  if (!context.settings.oauth2.enabled) return html`${value !== undefined && madeToken(visit.view, value)}${tokens}`;
  return html`${value !== undefined && madeToken(visit.view, value)}${tokens}
<h2>${security.applications}</h2><p>${owners.grantsHint}</p>${await grantSection(visit, context)}
<h2>${owners.ownApplications}</h2>${await applicationList(section, place, visit, context, problem)}`;
}

/** The applications that act for the user. */
async function grantSection(visit: OwnVisit, context: Context): Promise<Html> {
  const { view, user } = visit;
  const { security: text, common } = view.text;
  const grants = await listGrants(context.db, user);
  if (grants.length === 0) return html`<p class="empty">${common.none}</p>`;
  const revoke = ({ id, application_id: application, name }: GrantedApplication) =>
    actionButton(view, {
      action: section.href(visit, `oauth2/${application}/revoke/${id}`),
      label: text.revoke,
      title: `${text.revoke}: ${name}`,
      className: 'danger',
    });
  return html`<ul class="rows box">${grants.map(
    (grant) => html`<li><div><strong>${grant.name}</strong><br>
<span class="muted">${grant.scope || text.fullAccess}, ${text.since} ${timeAgo(view, grant.created_at)}</span></div>
<span class="push">${revoke(grant)}</span></li>`,
  )}</ul>`;
}
