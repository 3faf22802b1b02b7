import type { Repository } from '../../../access/find-repository.ts';
import type { RepositoryAccess } from '../../../access/repository-access.ts';
import { mayEditGitHooks, repositoryAdmin, signedIn } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import type { AnyRoute, Requirement } from '../../../http/route.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { type SectionPage, type SettingsArea, sectionOf } from '../../manage/section.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { repositoryDocument, repositoryPath } from '../frame.ts';

export { failed, type Problem } from '../../manage/section.ts';

const PATHS = {
  general: 'settings',
  collaboration: 'settings/collaboration',
  publicAccess: 'settings/public_access',
  branches: 'settings/branches',
  tags: 'settings/tags',
  hooks: 'settings/hooks',
  gitHooks: 'settings/hooks/git',
  keys: 'settings/keys',
  mirrors: 'settings/mirrors',
  lfs: 'settings/lfs',
  automation: 'settings/actions/general',
  runners: 'settings/actions/runners',
  secrets: 'settings/actions/secrets',
  variables: 'settings/actions/variables',
} as const;

/** The pages of the settings of a repository, in the order of their menu. */
export type RepositorySettingsPage = keyof typeof PATHS;

const area: SettingsArea<RepositoryVisit, RepositorySettingsPage> = {
  page: repositoryPage,
  root: ':owner/:repo/',
  paths: PATHS,
  address: ({ repository: { owner, name } }) => `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}/`,
  needs: [signedIn, repositoryAdmin],
  document: repositorySettingsDocument,
  level: 3,
};

/** A page of the settings of a repository that other owners share. */
export const repositorySection = (page: RepositorySettingsPage) => sectionOf(area, page);

/** The routes of a settings page. Errors of rules are shown in the page, with the input. */
export function repositorySettingsPage({
  page,
  needs = [repositoryAdmin],
  ...declared
}: SectionPage<RepositoryVisit> & { page: RepositorySettingsPage; needs?: readonly Requirement[] }): AnyRoute[] {
  return repositorySection(page).pages({ ...declared, needs: [signedIn, ...needs] });
}

/** The path of a settings page, from the root of the instance. */
export function settingsPath({ owner, name }: Pick<Repository, 'name' | 'owner'>, page: RepositorySettingsPage): string {
  return `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}/${PATHS[page]}`;
}

/** The path of a form of a page of settings. */
export function formPath({ view, repository }: RepositoryVisit, page: RepositorySettingsPage, form = ''): string {
  return repositoryPath(view, repository, form === '' ? PATHS[page] : `${PATHS[page]}/${form}`);
}

/** A page of settings, beside the menu of all of them. */
function repositorySettingsDocument(
  visit: RepositoryVisit,
  context: Context,
  { page: current, body, status }: { page: RepositorySettingsPage; body: Html; status: number },
): Promise<Document> {
  const { view } = visit;
  const { text } = view;
  const title = text.manage.pages[current];
  return repositoryDocument(visit, context, {
    tab: 'settings',
    title,
    status,
    body: html`<div class="with-menu"><nav class="side-menu" aria-label="${text.common.settings}">${settingsPagesOf(
      visit.access,
      context,
    ).map(
      (page) => html`<a href="${formPath(visit, page)}"${page === current && html` aria-current="page"`}>${text.manage.pages[page]}</a>`,
    )}</nav><div class="settings"><h2>${title}</h2>${body}</div></div>`,
  });
}

/** The pages of settings that an administrator of a repository sees. */
export function settingsPagesOf(access: RepositoryAccess, context: Context): RepositorySettingsPage[] {
  const { actor, settings } = context;
  const isOwner = access.isOwner || actor?.is_admin;
  return (Object.keys(PATHS) as RepositorySettingsPage[]).filter((page) => {
    if (page === 'hooks') return settings.webhooks.enabled;
    if (page === 'gitHooks') return mayEditGitHooks(context);
    if (page === 'lfs') return settings.lfs.enabled;
    return isOwner || !(page === 'runners' || page === 'secrets' || page === 'variables');
  });
}
