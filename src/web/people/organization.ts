import { isOrganizationMember } from '../../access/find-organization.ts';
import { orgMember, orgVisible, signedIn } from '../../access/requirements.ts';
import { avatarUrl, presentUsers } from '../../accounts/users/present.ts';
import { seesPrivateFeed } from '../../activity/feeds.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listMembers } from '../../organizations/members/members.ts';
import { listTeams } from '../../organizations/teams/list.ts';
import { avatar } from '../components/avatar.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { personRows } from '../components/person-rows.ts';
import { prose } from '../components/prose.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type AccountVisit, organizationPage } from '../resource-pages.ts';
import { icon, path, type View } from '../view.ts';
import { activityList } from './activity-list.ts';
import { described } from './described.ts';
import { ownRepositories } from './own-repositories.ts';
import { profileReadme } from './readme.ts';

type TabName = 'repositories' | 'members' | 'teams' | 'activity';

/** The page of an organization: what it owns, or what happened there. */
export async function organizationPageOf(visit: AccountVisit, context: Context): Promise<Document> {
  const { user, fields } = visit;
  const page = requestedPage(visit, context.settings);
  if (fields.get('tab') === 'activity') {
    const withPrivate = await seesPrivateFeed(context, user);
    return organizationDocument(visit, context, user, 'activity', await activityList(visit, context, { owner: user, withPrivate }, page));
  }
  const readme = page.page === 1 && (await profileReadme(visit, context));
  return organizationDocument(visit, context, user, 'repositories', html`${readme}${await ownRepositories(visit, context, page)}`);
}

/** The people and teams of organizations. */
export const organizationPages: readonly AnyRoute[] = [
  ...organizationPage({
    path: '/org/:org/members',
    needs: [orgVisible()],
    get: async ({ organization, ...visit }, context) => {
      const page = requestedPage(visit, context.settings);
      const { users, total } = await listMembers(context, organization, page);
      const rows = personRows(visit.view, presentUsers(context, users));
      const list = listOrEmpty(visit, page, { total, rows, empty: visit.view.text.people.noPeople });
      return organizationDocument(visit, context, organization, 'members', list);
    },
  }),
  ...organizationPage({
    path: '/org/:org/teams',
    needs: [signedIn, orgVisible(), orgMember],
    get: async ({ organization, ...visit }, context) => {
      const page = requestedPage(visit, context.settings);
      const { teams, total } = await listTeams(context, { organizationId: organization.id }, page);
      const rows = html`<ul class="rows box">${teams.map(
        ({ name, description }) => html`<li><strong>${name}</strong> <span class="muted">${description}</span></li>`,
      )}</ul>`;
      const list = listOrEmpty(visit, page, { total, rows, empty: visit.view.text.people.noTeams });
      return organizationDocument(visit, context, organization, 'teams', list);
    },
  }),
];

async function organizationDocument(
  { view }: { view: View },
  context: Context,
  organization: User,
  current: TabName,
  content: Html,
): Promise<Document> {
  const { text } = view;
  const { actor, db } = context;
  const isMember = actor !== null && (actor.is_admin || (await isOrganizationMember(db, organization.id, actor.id)));
  const name = encodeURIComponent(organization.name);
  const tab = (tab: TabName, to: string, label: string) => ({ href: path(view, to), label, isCurrent: tab === current });
  return {
    title: organization.full_name || organization.name,
    layout: 'page',
    body: html`<div class="profile"><aside>${avatar(view, { login: organization.name, avatar_url: avatarUrl(context, organization) }, 96)}
<h1>${organization.full_name || organization.name}</h1><p class="muted">${organization.name}</p>
${organization.description && prose(await described(context, organization.description))}
${organization.location && html`<p>${icon(view, 'globe')} ${organization.location}</p>`}
${/^https?:\/\//i.test(organization.website) && html`<p>${icon(view, 'link')} <a rel="nofollow noopener" href="${organization.website}">${organization.website}</a></p>`}
</aside><div>${tabs(view, text.people.profile, [
      tab('repositories', name, text.people.repositories),
      tab('members', `org/${name}/members`, text.people.members),
      isMember && tab('teams', `org/${name}/teams`, text.people.teams),
      tab('activity', `${name}?tab=activity`, text.people.activity),
      context.settings.packages.enabled && { href: path(view, `${name}/-/packages`), label: text.repository.packages, isCurrent: false },
    ])}<div class="tab-body">${content}</div></div></div>`,
  };
}
