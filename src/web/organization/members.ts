import { isOrganizationOwner } from '../../access/find-organization.ts';
import { findUserById } from '../../access/find-user.ts';
import { orgMember, orgOwner, orgVisible, signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUser } from '../../accounts/users/present.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { type MemberFacts, memberFacts } from '../../organizations/members/facts.ts';
import { isPrivy, listMembers, removeMember, setMembershipPublic } from '../../organizations/members/members.ts';
import { avatar } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { seeOther } from '../page.ts';
import { type OrganizationVisit, organizationPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { organizationDocument, organizationPagePath } from './frame.ts';

/** The members of organizations, and the actions of members and owners. */
export const memberPages: readonly AnyRoute[] = [
  ...organizationPage({ path: '/org/:org/members', needs: [orgVisible()], get: (visit, context) => members(visit, context) }),
  ...action('public', [], (visit, context, user) => setMembershipPublic(context, signedInActor(context), visit.organization, user, true)),
  ...action('private', [], (visit, context, user) => setMembershipPublic(context, signedInActor(context), visit.organization, user, false)),
  ...action('remove', [orgOwner], ({ organization }, context, user) => removeMember(context, organization, user)),
  ...organizationPage({
    path: '/org/:org/members/action/leave',
    needs: [signedIn, orgVisible(), orgMember],
    post: (visit, context) => attempt(visit, context, (context) => removeMember(context, visit.organization, signedInActor(context)), ''),
  }),
];

function action(
  name: string,
  needs: readonly Requirement[],
  act: (visit: OrganizationVisit, context: Context, user: User) => Promise<void>,
): AnyRoute[] {
  return organizationPage({
    path: `/org/:org/members/action/${name}`,
    needs: [signedIn, orgVisible(), orgMember, ...needs],
    post: async (visit, context) => {
      const user = await findUserById(context.db, Number(visit.fields.get('uid')) || 0);
      if (!user) throw notFound();
      return attempt(visit, context, (context) => act(visit, context, user), organizationPagePath(visit.organization, 'members'));
    },
  });
}

/** Errors of rules are shown above the list, for example if the last owner wants to leave. */
async function attempt(visit: OrganizationVisit, context: Context, act: (context: Context) => Promise<void>, target: string) {
  try {
    await inTransaction(context, act);
    return seeOther(context, target);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return members(visit, context, error.message);
  }
}

async function members(visit: OrganizationVisit, context: Context, problem?: string): Promise<Document> {
  const { view, organization } = visit;
  const { actor } = context;
  const page = requestedPage(visit, context.settings);
  const { users, total } = await listMembers(context, organization, page);
  const knows = actor !== null && (await isPrivy(context, organization, actor));
  const isOwner = actor !== null && (actor.is_admin || (await isOrganizationOwner(context.db, organization.id, actor.id)));
  const facts = knows ? await memberFacts(context, organization, users) : new Map<number, MemberFacts>();
  const rows = html`<ul class="rows box">${users.map((user) => row(visit, context, user, { facts: facts.get(user.id), isOwner }))}</ul>`;
  const list = listOrEmpty(visit, page, { total, rows, empty: view.text.people.noPeople });
  const content = html`${problem !== undefined && fault(view, problem)}${list}`;
  return organizationDocument(visit, context, organization, 'members', content, {
    title: view.text.people.members,
    ...(problem !== undefined && { status: 422 }),
  });
}

function row(
  { view, organization }: OrganizationVisit,
  context: Context,
  user: User,
  { facts, isOwner }: { facts: MemberFacts | undefined; isOwner: boolean },
): Html {
  const { owners: text } = view.text;
  const isSelf = user.id === context.actor?.id;
  const button = (name: string, label: string, className = '') =>
    actionButton(view, {
      action: path(view, organizationPagePath(organization, `members/action/${name}`)),
      label,
      title: `${label}: ${user.name}`,
      fields: { uid: user.id },
      className,
    });
  const buttons =
    facts &&
    html`<span class="push buttons">${(isSelf || isOwner) && (facts.isPublic ? button('private', text.hide) : button('public', text.publish))}
${isSelf ? button('leave', text.leave, 'danger') : isOwner && button('remove', view.text.manage.removeShort, 'danger')}</span>`;
  return html`<li>${avatar(view, presentUser(context, user), 40)}<div><a href="${path(view, encodeURIComponent(user.name))}"><strong>${user.name}</strong></a> ${user.full_name}
${facts && html`<span class="badge">${facts.isPublic ? text.publicMember : text.privateMember}</span> ${facts.isOwner && html`<span class="badge done">${text.owner}</span> `}${(isOwner || isSelf) && html`<span class="badge ${facts.hasTwoFactor ? 'success' : 'warning'}">${facts.hasTwoFactor ? text.twoFactor : text.noTwoFactor}</span>`}`}</div>${buttons}</li>\n`;
}
