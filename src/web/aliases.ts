import { canRead } from '../access/requirements.ts';
import { avatarUrl, avatarUrlOfHash } from '../accounts/users/present.ts';
import { escapePath } from '../code/escape-path.ts';
import { empty } from '../http/responses.ts';
import type { AnyRoute } from '../http/route.ts';
import { openPage, seeOther, type Visit } from './page.ts';
import { accountPage, repositoryPage } from './resource-pages.ts';
import { localUrl } from './view.ts';

const REPOSITORY = ':owner/:repo';
const HOOK = 'hooks/:type(^[a-z]+$)/new';

/** Paths of pages of Gitea and GitHub, and the corresponding paths here. The target page checks access. */
const PAGES: readonly (readonly [from: string, to: string])[] = [
  [`${REPOSITORY}/actions/runs/:run/workflow`, `${REPOSITORY}/actions/runs/:run`],
  [`${REPOSITORY}/contributors`, `${REPOSITORY}/activity/contributors`],
  [`${REPOSITORY}/graphs/code-frequency`, `${REPOSITORY}/activity/code-frequency`],
  [`${REPOSITORY}/graphs/commit-activity`, `${REPOSITORY}/activity/recent-commits`],
  [`${REPOSITORY}/graphs/contributors`, `${REPOSITORY}/activity/contributors`],
  [`${REPOSITORY}/network`, `${REPOSITORY}/forks`],
  [`${REPOSITORY}/network/members`, `${REPOSITORY}/forks`],
  [`${REPOSITORY}/pull/*`, `${REPOSITORY}/pulls/*`],
  [`${REPOSITORY}/pulse`, `${REPOSITORY}/activity`],
  [`${REPOSITORY}/release`, `${REPOSITORY}/releases`],
  [`${REPOSITORY}/releases/attachments/*`, `${REPOSITORY}/attachments/*`],
  [`${REPOSITORY}/render/*`, `${REPOSITORY}/src/*`],
  [`${REPOSITORY}/settings/${HOOK}`, `${REPOSITORY}/settings/hooks/new?type=:type`],
  [`${REPOSITORY}/settings/hooks/git/:name`, `${REPOSITORY}/settings/hooks/git`],
  [`${REPOSITORY}/settings/lfs/find`, `${REPOSITORY}/settings/lfs`],
  [`${REPOSITORY}/settings/lfs/pointers`, `${REPOSITORY}/settings/lfs`],
  [`${REPOSITORY}/stargazers`, `${REPOSITORY}/stars`],
  [`${REPOSITORY}/wiki/_new`, `${REPOSITORY}/wiki?action=_new`],
  [`${REPOSITORY}/wiki/_pages`, `${REPOSITORY}/wiki?action=_pages`],
  [':owner/-/packages/settings/:type/:name', ':owner/-/packages/:type/:name'],
  [':owner/-/repositories', ':owner?tab=repositories'],
  ['org/:org', ':org'],
  ['org/:org/dashboard', ':org?tab=activity'],
  ['org/:org/dashboard/*', ':org?tab=activity'],
  // The repositories of a team have no separate list.
  ['org/:org/issues/:team', 'org/:org/issues'],
  ['org/:org/milestones/:team', 'org/:org/milestones'],
  ['org/:org/pulls/:team', 'org/:org/pulls'],
  [`org/:org/settings/${HOOK}`, 'org/:org/settings/hooks/new?type=:type'],
  [`user/settings/${HOOK}`, 'user/settings/hooks/new?type=:type'],
  ['user/link_account', 'user/login'],
  ['user/two_factor', 'user/login'],
  ['user/two_factor/scratch', 'user/login'],
  ['user/settings/change_password', 'user/change_password'],
  ['user/settings/organizations', 'user/settings/organization'],
  ['user/settings/profile', 'user/settings'],
  ['-/admin/actions', '-/admin/actions/runners'],
  ['-/admin/auths/*', '-/admin/auths'],
  ['-/admin/badges/new', '-/admin/badges'],
  ['-/admin/badges/slug/:name/edit', '-/admin/badges/slug/:name'],
  ['-/admin/badges/slug/:name/users', '-/admin/badges/slug/:name'],
  ['-/admin/config/settings', '-/admin/config'],
  ['-/admin/default-hooks/:type(^[a-z]+$)/new', '-/admin/hooks/new?type=:type'],
  ['-/admin/monitor/*', '-/admin/monitor'],
  ['-/admin/self_check', '-/admin'],
  ['-/admin/system-hooks/:type(^[a-z]+$)/new', '-/admin/hooks/new?type=:type'],
  ['-/admin/system_status', '-/admin/monitor'],
  ['-/admin/users/new', '-/admin/users'],
];

/** URLs saved from other servers whose pages have another path here. */
export const aliasPages: readonly AnyRoute[] = [
  ...PAGES.flatMap(([from, to]) => openPage({ path: `/${from}`, get: async (visit, context) => seeOther(context, filled(to, visit)) })),
  ...ofDefaultBranch('commits', 'commits/branch'),
  ...ofDefaultBranch('cherry-pick/:sha', '_cherrypick/:sha'),
  ...accountPage({
    path: '/user/avatar/:username/:size(^-?[0-9]+$)',
    get: async ({ view, user }, context) => empty(302, { location: localUrl(view, avatarUrl(context, user)) }),
  }),
  ...openPage({
    path: '/avatar/:hash(^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{64})$)',
    get: async ({ view, params: { hash = '' } }, context) =>
      empty(302, { location: localUrl(view, avatarUrlOfHash(context, hash.toLowerCase())), 'cache-control': 'public, max-age=300' }),
  }),
];

function ofDefaultBranch(from: string, to: string): AnyRoute[] {
  return repositoryPage({
    path: `/${REPOSITORY}/${from}`,
    needs: [canRead('code')],
    get: async ({ params, repository }, context) =>
      seeOther(context, filled(`${REPOSITORY}/${to}/*`, { params: { ...params, '*': repository.default_branch } })),
  });
}

/** A path with the parameters and the query of the requested one. */
function filled(to: string, { params, request }: Pick<Visit, 'params'> & Partial<Pick<Visit, 'request'>>): string {
  const path = to.replaceAll(/:(\w+)|\*/g, (_, name: string | undefined) =>
    name === undefined ? escapePath(params['*'] ?? '') : encodeURIComponent(params[name] ?? ''),
  );
  const query = request && !to.includes('?') ? new URL(request.url).search : '';
  return path + query;
}
