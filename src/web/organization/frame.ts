import { isOrganizationMember, isOrganizationOwner } from '../../access/find-organization.ts';
import { avatarUrl } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { projectLevel } from '../../projects/access.ts';
import { avatar } from '../components/avatar.ts';
import { prose } from '../components/prose.ts';
import { summaryText } from '../components/summary-text.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { described } from '../people/described.ts';
import { icon, path, type View } from '../view.ts';

type TabName = 'repositories' | 'members' | 'teams' | 'activity' | 'settings';

/** The path of a page of an organization, from the root of the instance. @param rest the part after its name, escaped */
export function organizationPagePath({ name }: Pick<User, 'name'>, rest: string): string {
  return `org/${encodeURIComponent(name)}/${rest}`;
}

/** A page of an organization, next to its profile. */
export async function organizationDocument(
  { view }: { view: View },
  context: Context,
  organization: User,
  current: TabName,
  content: Html,
  { status, title }: { status?: number; title?: string } = {},
): Promise<Document> {
  const { text } = view;
  const { actor, db } = context;
  const isMember = actor !== null && (actor.is_admin || (await isOrganizationMember(db, organization.id, actor.id)));
  const isOwner = isMember && (actor.is_admin || (await isOrganizationOwner(db, organization.id, actor.id)));
  const name = encodeURIComponent(organization.name);
  const tab = (tab: TabName, to: string, label: string) => ({ href: path(view, to), label, isCurrent: tab === current });
  const label = organization.full_name || organization.name;
  return {
    title: title === undefined ? label : `${title} - ${label}`,
    layout: 'page',
    ...(status !== undefined && { status }),
    ...(organization.visibility === 'public' && {
      summary: { description: summaryText(organization.description), image: avatarUrl(context, organization) },
    }),
    ...(context.settings.repository.feedsEnabled && {
      feeds: (['rss', 'atom'] as const).map((type) => ({ type, href: path(view, `${name}.${type}`), title: organization.name })),
    }),
    body: html`<div class="profile"><aside>${avatar(view, { login: organization.name, avatar_url: avatarUrl(context, organization) }, 96)}
<h1>${organization.full_name || organization.name}</h1><p class="muted">${organization.name}</p>
${organization.description && prose(view, await described(context, organization.description))}
${organization.location && html`<p>${icon(view, 'globe')} ${organization.location}</p>`}
${/^https?:\/\//i.test(organization.website) && html`<p>${icon(view, 'link')} <a rel="nofollow noopener" href="${organization.website}">${organization.website}</a></p>`}
</aside><div>${tabs(view, text.people.profile, [
      tab('repositories', name, text.people.repositories),
      tab('members', `org/${name}/members`, text.people.members),
      isMember && tab('teams', `org/${name}/teams`, text.people.teams),
      tab('activity', `${name}?tab=activity`, text.people.activity),
      (await projectLevel(context, { account: organization })) > 0 && {
        href: path(view, `${name}/-/projects`),
        label: text.repository.projects,
        isCurrent: false,
      },
      actor !== null && { href: path(view, `org/${name}/issues`), label: text.common.issues, isCurrent: false },
      actor !== null && { href: path(view, `org/${name}/pulls`), label: text.common.pulls, isCurrent: false },
      actor !== null && { href: path(view, `org/${name}/milestones`), label: text.issues.milestones, isCurrent: false },
      context.settings.codeSearch.enabled && { href: path(view, `${name}/-/code`), label: text.search.code, isCurrent: false },
      context.settings.packages.enabled && { href: path(view, `${name}/-/packages`), label: text.repository.packages, isCurrent: false },
      isOwner && tab('settings', `org/${name}/settings`, text.common.settings),
    ])}<div class="tab-body">${content}</div></div></div>`,
  };
}
