import { findRepositories, isPublicRepository, type Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { fullName } from '../../access/requirements.ts';
import { avatarUrl } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { showsProjects } from '../../projects/access.ts';
import { repositoryAvatarUrl } from '../../repositories/present.ts';
import { isStarred } from '../../repositories/stars/stars.ts';
import { watchMode } from '../../repositories/watches/watches.ts';
import type { IconName } from '../assets/icon-names.ts';
import { actionButton } from '../components/form.ts';
import { number } from '../components/numbers.ts';
import { summaryText } from '../components/summary-text.ts';
import { type Tab, tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon, path, type View } from '../view.ts';
import { externalTracker, externalWiki } from './elsewhere.ts';
import { transferBox } from './transfer-box.ts';

/** The pages that a repository has tabs for. */
export type RepositoryTab =
  | 'code'
  | 'issues'
  | 'pulls'
  | 'actions'
  | 'packages'
  | 'projects'
  | 'releases'
  | 'wiki'
  | 'activity'
  | 'settings';

/** As other services have them. */
const TAB_KEYS: Partial<Readonly<Record<RepositoryTab, string>>> = {
  code: 'g c',
  issues: 'g i',
  pulls: 'g p',
  actions: 'g a',
  projects: 'g b',
  releases: 'g r',
  wiki: 'g w',
};

/** The units with content on the activity pages. */
const ACTIVE = ['code', 'issues', 'pulls', 'releases'] as const;

/** The path of a page of a repository. @param rest the part after its name, escaped, such as `issues/1` */
export function repositoryPath(view: View, repository: Pick<Repository, 'name' | 'owner'>, rest = ''): string {
  const own = path(view, `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}`);
  return rest === '' ? own : `${own}/${rest}`;
}

/** A page of a repository: under its name and its tabs. */
export async function repositoryDocument(
  visit: RepositoryVisit,
  context: Context,
  document: Document & { tab: RepositoryTab },
): Promise<Document> {
  const { repository } = visit;
  const { tab, title, summary, ...rest } = document;
  return {
    layout: 'page',
    ...rest,
    ...(isPublicRepository(repository) && { summary: summaryOf(context, repository, summary) }),
    title: title === '' ? fullName(repository) : `${title} - ${fullName(repository)}`,
    banner: await banner(visit, context, tab),
  };
}

/** The preview of links to a page: its own, else the repository's description. */
function summaryOf(context: Context, repository: Repository, { description = '', image = '' }: Document['summary'] = {}) {
  const picture = image || repositoryAvatarUrl(context.settings, repository) || avatarUrl(context, repository.owner);
  return { description: summaryText(description) || summaryText(repository.description), image: picture };
}

async function banner(visit: RepositoryVisit, context: Context, current: RepositoryTab): Promise<Html> {
  const { view, repository, access } = visit;
  const { owner, name } = repository;
  const { text } = view;
  return html`<div class="banner"><div class="head">
<h1>${icon(view, repositoryIcon(repository))} <a href="${path(view, encodeURIComponent(owner.name))}">${owner.name}</a> /
<strong><a href="${repositoryPath(view, repository)}">${name}</a></strong> ${badges(view, repository)}</h1>
${await counters(visit, context)}
</div>
${await origin(view, repository, context)}${await transferBox(visit, context)}
${tabs(view, text.repository.tabs, tabsOf(view, repository, access, current))}
</div>${repository.is_archived && html`<div class="warning" role="status">${text.repository.archivedNotice}</div>`}`;
}

function repositoryIcon({ is_private, fork_id, is_mirror }: Repository): IconName {
  if (is_private) return 'lock';
  if (is_mirror) return 'mirror';
  return fork_id === null ? 'repo' : 'repo-forked';
}

/** Labels for the kind of repository. */
export function badges({ text: { common } }: View, { is_private, is_archived, is_template, owner }: Repository): Html {
  const visibility = is_private ? common.private : owner.visibility === 'private' ? common.internal : undefined;
  return html`${[visibility, is_archived && common.archived, is_template && common.template].map(
    (word) => word && html`<span class="badge">${word}</span> `,
  )}`;
}

async function origin(view: View, repository: Repository, context: Context): Promise<Html | false> {
  const { text } = view;
  if (repository.is_mirror) return html`<p class="muted">${text.repository.mirrorOf} ${repository.original_url}</p>`;
  if (repository.fork_id === null) return false;
  const [parent] = await findRepositories(context.db, [repository.fork_id]);
  if (!parent || !(await repositoryAccess(context, parent, context.actor)).isVisible) return false;
  return html`<p class="muted">${text.repository.forkedFrom} <a href="${repositoryPath(view, parent)}">${fullName(parent)}</a></p>`;
}

async function counters({ view, repository, access }: RepositoryVisit, context: Context): Promise<Html> {
  const { actor, settings, db } = context;
  const { text } = view;
  const isWatching = actor !== null && ['normal', 'auto'].includes((await watchMode(db, repository.id, actor.id)) ?? '');
  const hasStar = actor !== null && (await isStarred(context, repository, actor));
  const counter = (rest: string, value: number, label: string) =>
    html`<a class="count" href="${repositoryPath(view, repository, rest)}" aria-label="${label}">${number(view, value)}</a>`;
  const button = (action: string, name: IconName, label: string) =>
    actor &&
    actionButton(view, {
      action: repositoryPath(view, repository, `action/${action}`),
      label: html`${icon(view, name)} ${label}`,
      fields: { back: view.here },
    });
  const { watch, unwatch, star, unstar, fork } = text.repository;
  return html`<div class="row">
<span class="pair">${isWatching ? button('unwatch', 'eye-closed', unwatch) : button('watch', 'eye', watch)}
${counter('watchers', repository.watchers_count, text.repository.watchers(repository.watchers_count))}</span>
${
  settings.repository.starsEnabled &&
  html`<span class="pair">${hasStar ? button('unstar', 'star-fill', unstar) : button('star', 'star', star)}
${counter('stars', repository.stars_count, text.repository.stars(repository.stars_count))}</span>`
}
${
  access.canRead('code') &&
  html`<span class="pair">${actor && html`<a class="button" href="${repositoryPath(view, repository, 'fork')}">${icon(view, 'repo-forked')} ${fork}</a>`}
${counter('forks', repository.forks_count, text.repository.forks(repository.forks_count))}</span>`
}</div>`;
}

/** The tabs that a reader sees of a repository. */
export function tabsOf(view: View, repository: Repository, access: RepositoryAccess, current: RepositoryTab): (Tab | false)[] {
  const { text } = view;
  const tab = (name: RepositoryTab, isShown: boolean, shown: { icon: IconName; rest?: string; count?: number }): Tab | false =>
    isShown && {
      href: repositoryPath(view, repository, shown.rest ?? name),
      label: text.repository[name],
      icon: shown.icon,
      count: shown.count,
      isCurrent: name === current,
      keys: TAB_KEYS[name],
    };
  const { issues_count: issues, closed_issues_count: closedIssues, pulls_count: pulls, closed_pulls_count: closedPulls } = repository;
  const canPull = access.canRead('pulls') && !repository.is_empty && !repository.is_mirror;
  return [
    tab('code', access.canRead('code'), { icon: 'code', rest: '' }),
    tab('issues', access.canRead('issues') || (externalTracker(repository) !== undefined && access.canRead('ext_issues')), {
      icon: 'issue-opened',
      count: repository.units.issues ? issues - closedIssues : 0,
    }),
    tab('pulls', canPull, { icon: 'git-pull-request', count: pulls - closedPulls }),
    tab('actions', access.canRead('actions') && !repository.is_empty, { icon: 'play' }),
    tab('projects', access.canRead('projects') && showsProjects(repository, 'repo'), { icon: 'project' }),
    tab('packages', access.canRead('packages'), { icon: 'package' }),
    tab('releases', access.canRead('releases'), { icon: 'tag', count: repository.releases_count }),
    tab('wiki', access.canRead('wiki') || (externalWiki(repository) !== undefined && access.canRead('ext_wiki')), { icon: 'book' }),
    tab('activity', !repository.is_empty && ACTIVE.some((unit) => access.canRead(unit)), { icon: 'pulse' }),
    tab('settings', access.isAdmin, { icon: 'gear' }),
  ];
}
