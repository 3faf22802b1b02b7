import type { LoadedRepository } from '../../access/load.ts';
import type { Context } from '../../context.ts';
import { ADMIN_PATHS, adminPagesOf } from '../admin/frame.ts';
import type { IconName } from '../assets/icon-names.ts';
import { repositoryPath, tabsOf } from '../repository/frame.ts';
import { settingsPagesOf as repositorySettingsOf, settingsPath } from '../repository/settings/frame.ts';
import { SETTINGS_PATHS, settingsPagesOf } from '../settings/frame.ts';
import { path, type View } from '../view.ts';

/** A target of the palette. */
export interface Entry {
  readonly icon: IconName;
  readonly label: string;
  /** Its description. */
  readonly hint: string;
  readonly href: string;
}

/** The pages of the instance that the reader may open. */
export function instancePages(view: View, { settings }: Pick<Context, 'settings'>): Entry[] {
  const { text } = view;
  const { common, settings: own, admin } = text;
  const page = (icon: IconName, label: string, to: string, hint = ''): Entry => ({ icon, label, hint, href: path(view, to) });
  const explore = page('search', common.explore, 'explore/repos');
  const { user } = view;
  if (!user) return [page('person', common.signIn, 'user/login'), explore];
  return [
    page('repo', common.home, ''),
    page('issue-opened', common.issues, 'issues'),
    page('git-pull-request', common.pulls, 'pulls'),
    page('milestone', text.issues.milestones, 'milestones'),
    page('bell', common.notifications, 'notifications'),
    explore,
    page('plus', common.newRepository, 'repo/create'),
    ...(settings.migrations.enabled ? [page('plus', text.migration.migrate, 'repo/migrate')] : []),
    page('plus', common.newOrganization, 'org/create'),
    page('person', common.profile, encodeURIComponent(user.name)),
    ...settingsPagesOf(settings).map((name) => page('gear', own.pages[name], SETTINGS_PATHS[name], common.settings)),
    ...(user.is_admin ? adminPagesOf(settings) : []).map((name) =>
      page('gear', admin.pages[name], ADMIN_PATHS[name], common.administration),
    ),
    page('x', common.signOut, 'user/logout'),
  ];
}

/** The pages of a repository that the reader may open. */
export function repositoryPages(view: View, context: Context, { repository, access }: LoadedRepository): Entry[] {
  const { text } = view;
  const hint = `${repository.owner.name}/${repository.name}`;
  const page = (icon: IconName, label: string, rest: string): Entry => ({
    icon,
    label,
    hint,
    href: repositoryPath(view, repository, rest),
  });
  const tabs = tabsOf(view, repository, access, 'code').flatMap((tab) =>
    tab ? [{ icon: tab.icon ?? 'repo', label: tab.label, hint, href: tab.href }] : [],
  );
  const isOpen = !repository.is_archived && view.user !== null;
  const hasCode = access.canRead('code') && !repository.is_empty;
  return [
    ...tabs,
    ...(isOpen && access.canRead('issues') ? [page('plus', text.issues.newIssue, 'issues/new/choose')] : []),
    ...(isOpen && hasCode && access.canRead('pulls') ? [page('plus', text.pulls.newPull, 'pulls/new')] : []),
    ...(hasCode ? [page('git-branch', text.code.branches, 'branches'), page('tag', text.code.tags, 'tags')] : []),
    ...(access.isAdmin ? repositorySettingsOf(access, context) : []).map(
      (name): Entry => ({
        icon: 'gear',
        label: text.manage.pages[name],
        hint: `${hint}: ${text.common.settings}`,
        href: path(view, settingsPath(repository, name)),
      }),
    ),
  ];
}
