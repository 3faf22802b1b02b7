import { signedIn } from '../../access/requirements.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import { listUserBadges } from '../../accounts/badges/badges.ts';
import { follow, isFollowing, listFollowers, listFollowing, unfollow } from '../../accounts/follows/follows.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { avatarUrl, presentUser, presentUsers } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { notFound } from '../../http/errors.ts';
import { listOrganizationsOf } from '../../organizations/list.ts';
import { isUnitOffered } from '../../repositories/units.ts';
import { avatar } from '../components/avatar.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { day } from '../components/numbers.ts';
import { personRows } from '../components/person-rows.ts';
import { prose } from '../components/prose.ts';
import { summaryText } from '../components/summary-text.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import type { AccountVisit } from '../resource-pages.ts';
import { icon, path, type View } from '../view.ts';
import { activityList } from './activity-list.ts';
import { described } from './described.ts';
import { foundRepositories } from './found-repositories.ts';
import { heatmapPlot } from './heatmap.ts';
import { organizationPageOf } from './organization.ts';
import { profileReadme } from './readme.ts';

const TABS = ['overview', 'repositories', 'activity', 'stars', 'followers', 'following'] as const;
type TabName = (typeof TABS)[number];

/** The page of an account: a person, or an organization. */
export async function accountPageOf(visit: AccountVisit, context: Context): Promise<Reply> {
  const { user, view, fields } = visit;
  if (!(await isUserVisible(context.db, user, context.actor))) throw notFound();
  if (user.type === 'organization') return organizationPageOf(visit, context);
  const tab = TABS.find((name) => name === fields.get('tab')) ?? 'overview';
  return {
    title: user.full_name === '' ? user.name : `${user.name} (${user.full_name})`,
    layout: 'page',
    ...(user.visibility === 'public' && { summary: { description: summaryText(user.description), image: avatarUrl(context, user) } }),
    body: html`<div class="profile">${await sideBar(visit, context)}<div>
${tabs(view, view.text.people.profile, tabsOf(view, context, user, tab))}
<div class="tab-body">${await contentOf(visit, context, tab)}</div></div></div>`,
    feeds: (['rss', 'atom'] as const).map((type) => ({
      type,
      href: path(view, `${encodeURIComponent(user.name)}.${type}`),
      title: user.name,
    })),
  } satisfies Document;
}

function tabsOf(view: View, { settings }: Context, user: User, current: TabName) {
  const { text } = view;
  const own = path(view, encodeURIComponent(user.name));
  const tab = (name: TabName, label: string, count?: number) => ({
    href: name === 'overview' ? own : `${own}?tab=${name}`,
    label,
    count,
    isCurrent: name === current,
  });
  return [
    tab('overview', text.people.overview),
    tab('repositories', text.people.repositories),
    tab('activity', text.people.activity),
    tab('stars', text.people.starred, user.stars_count),
    isUnitOffered(settings, 'projects') && { href: `${own}/-/projects`, label: text.repository.projects, isCurrent: false },
    settings.codeSearch.enabled && { href: `${own}/-/code`, label: text.search.code, isCurrent: false },
    settings.packages.enabled && { href: `${own}/-/packages`, label: text.repository.packages, isCurrent: false },
  ];
}

async function contentOf(visit: AccountVisit, context: Context, tab: TabName): Promise<Html> {
  const { user, view } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  // The API requires signing in for these lists.
  if (tab === 'stars' || tab === 'followers' || tab === 'following') await signedIn.check({ params: {} }, context);
  const isPrivy = context.actor !== null && (context.actor.is_admin || context.actor.id === user.id);
  switch (tab) {
    case 'overview':
      return html`${await profileReadme(visit, context)}${await heatmapPlot(view, context, user)}
${await foundRepositories(visit, context, 'repositories', { ...page, page: 1, offset: 0 })}`;
    case 'repositories':
      return foundRepositories(visit, context, 'repositories', page);
    case 'activity':
      return activityList(visit, context, { owner: user, onlyPerformed: true, withPrivate: isPrivy }, page);
    case 'stars': {
      return foundRepositories(visit, context, 'stars', page);
    }
    case 'followers':
    case 'following': {
      const { users, total } = await (tab === 'followers' ? listFollowers : listFollowing)(context, user, page);
      return listOrEmpty(visit, page, { total, rows: personRows(view, presentUsers(context, users)), empty: text.people.noPeople });
    }
  }
}

async function sideBar({ user, view }: AccountVisit, context: Context): Promise<Html> {
  const { text } = view;
  const { email } = presentUser(context, user);
  const showsEmail = context.actor !== null && !user.keep_email_private;
  const own = path(view, encodeURIComponent(user.name));
  const all = { page: 1, limit: 50, offset: 0 };
  const { organizations } = await listOrganizationsOf(context, user, all);
  return html`<aside>${avatar(view, { login: user.name, avatar_url: avatarUrl(context, user) }, 96)}
<h1>${user.full_name || user.name}</h1><p class="muted">${user.name}</p>
${user.description && prose(view, await described(context, user.description))}
${await badgeList(view, context, user)}${await followButton(view, context, user)}
<p><a href="${own}?tab=followers">${text.people.followers(user.followers_count)}</a> · <a href="${own}?tab=following">${text.people.following(user.following_count)}</a></p>
${user.location && html`<p>${icon(view, 'globe')} ${user.location}</p>`}
${/^https?:\/\//i.test(user.website) && html`<p>${icon(view, 'link')} <a rel="nofollow noopener me" href="${user.website}">${user.website}</a></p>`}
${showsEmail && html`<p>${icon(view, 'mail')} <a href="mailto:${email}">${email}</a></p>`}
<p class="muted">${text.people.joined} ${day(view, user.created_at)}</p>
${organizations.length > 0 && html`<h2>${text.people.organizations}</h2><ul class="facts">${organizations.map(({ name }) => html`<li>${icon(view, 'organization')} <a href="${path(view, encodeURIComponent(name))}">${name}</a></li>`)}</ul>`}
</aside>`;
}

/** The badges of the user: images if they have some, else words. */
async function badgeList(view: View, context: Context, user: User): Promise<Html | false> {
  const badges = await listUserBadges(context, user);
  if (badges.length === 0) return false;
  return html`<ul class="badges" aria-label="${view.text.admin.badges}">${badges.map(({ slug, description, image_url: url }) => {
    const meaning = description || slug;
    const picture = html`<img src="${url}" alt="${meaning}" title="${meaning}" width="48" height="48" loading="lazy" referrerpolicy="no-referrer">`;
    return html`<li>${url === '' ? html`<span class="badge" title="${meaning}">${slug}</span>` : picture}</li>`;
  })}</ul>`;
}

async function followButton(view: View, context: Context, user: User): Promise<Html | false> {
  const { actor, db } = context;
  if (!actor || actor.id === user.id) return false;
  const isOn = await isFollowing(db, actor.id, user.id);
  const label = isOn ? view.text.people.unfollow : view.text.people.follow;
  return actionButton(view, {
    action: path(view, `${encodeURIComponent(user.name)}/-/follow`),
    label,
    fields: { action: isOn ? 'unfollow' : 'follow' },
  });
}

/** The button of a profile. */
export async function changeFollowing({ user, fields }: AccountVisit, context: Context): Promise<Reply> {
  const actor = signedInActor(context);
  if (fields.get('action') === 'unfollow') await unfollow(context, actor.id, user.id);
  else await follow(context, actor, user);
  return seeOther(context, encodeURIComponent(user.name));
}
