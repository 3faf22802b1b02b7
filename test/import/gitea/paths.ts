import { packagePaths } from './registries.ts';

/** Asks a server; undefined for anything but a 200 with JSON. */
// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
export type Ask = (path: string) => Promise<any>;

const OF_USER = [
  '',
  'keys',
  'gpg_keys',
  'followers',
  'following',
  'starred',
  'subscriptions',
  'orgs',
  'repos',
  'activities/feeds',
  'heatmap',
];
const OF_AUTOMATION = ['runs', 'jobs', 'runners', 'variables', 'secrets'];
const AS_USER = ['/user', '/user/settings', '/user/emails', '/user/applications/oauth2', '/user/blocks', '/user/teams', '/user/times'];
const AS_USER_TOO = [
  '/user/stopwatches',
  '/user/hooks',
  '/user/keys',
  '/user/repos',
  '/user/starred',
  '/notifications?all=true',
  '/user/orgs',
  ...OF_AUTOMATION.map((rest) => `/user/actions/${rest}`),
];
const OF_ORGANIZATION = ['', 'teams', 'members', 'public_members', 'labels', 'hooks', 'repos', 'blocks', 'activities/feeds'];
const OF_TEAM = ['', 'members', 'repos', 'activities/feeds'];
const OF_REPOSITORY = [
  ...[
    '',
    'branches',
    'tags',
    'releases?draft=true',
    'labels',
    'milestones?state=all',
    'topics',
    'languages',
    'licenses',
    'collaborators',
    'keys',
  ],
  ...[
    'hooks',
    'branch_protections',
    'tag_protections',
    'stargazers',
    'subscribers',
    'forks',
    'issues?state=all',
    'pulls?state=all',
    'teams',
  ],
  ...['issues/comments', 'times', 'issues/pinned', 'pulls/pinned', 'wiki/pages', 'push_mirrors', 'commits?limit=5', 'activities/feeds'],
  ...['reviewers', 'assignees', 'new_pin_allowed', 'contents', 'git/refs', 'notifications', 'issue_config', 'subscription'],
];
const OF_ISSUE = ['', 'comments', 'timeline', 'reactions', 'labels', 'subscriptions', 'times', 'dependencies', 'blocks', 'assets'];
const OF_PULL = ['', 'reviews', 'commits', 'files', 'requested_reviewers'];

/**
 * The GET requests that show all that an instance has, found by asking one.
 * @param every of users, organizations and repositories every so manieth
 */
export async function* paths(ask: Ask, every: number): AsyncGenerator<string> {
  yield* ['/admin/users?limit=50', '/admin/orgs?limit=50', '/admin/emails?limit=50', '/repos/search?limit=50', '/users/search?limit=50'];
  yield* ['/topics/search?q=a', '/repos/issues/search?state=all&limit=50', '/orgs?limit=50'];
  yield* OF_AUTOMATION.filter((rest) => !['variables', 'secrets'].includes(rest)).map((rest) => `/admin/actions/${rest}?limit=50`);
  for await (const user of some(all(ask, '/admin/users'), every)) {
    yield* OF_USER.map((rest) => join(`/users/${user.login}`, rest));
    yield* packagePaths(ask, user.login);
    for (const path of [...AS_USER, ...AS_USER_TOO]) yield `${path}${path.includes('?') ? '&' : '?'}sudo=${user.login}`;
  }
  for await (const organization of some(all(ask, '/admin/orgs'), every)) {
    yield* OF_ORGANIZATION.map((rest) => join(`/orgs/${organization.username}`, rest));
    yield* OF_AUTOMATION.map((rest) => `/orgs/${organization.username}/actions/${rest}`);
    yield* packagePaths(ask, organization.username);
    for (const team of (await ask(`/orgs/${organization.username}/teams`)) ?? [])
      yield* OF_TEAM.map((rest) => join(`/teams/${team.id}`, rest));
  }
  for await (const repository of some(all(ask, '/repos/search'), every)) yield* ofRepository(ask, `/repos/${repository.full_name}`);
}

async function* ofRepository(ask: Ask, path: string): AsyncGenerator<string> {
  yield* OF_REPOSITORY.map((rest) => join(path, rest));
  for await (const issue of all(ask, `${path}/issues?state=all`)) {
    yield* OF_ISSUE.map((rest) => join(`${path}/issues/${issue.number}`, rest));
    for (const comment of (await ask(`${path}/issues/${issue.number}/comments`)) ?? [])
      yield* ['', 'reactions', 'assets'].map((rest) => join(`${path}/issues/comments/${comment.id}`, rest));
    if (!issue.pull_request) continue;
    yield* OF_PULL.map((rest) => join(`${path}/pulls/${issue.number}`, rest));
    for (const review of (await ask(`${path}/pulls/${issue.number}/reviews`)) ?? [])
      yield* ['', 'comments'].map((rest) => join(`${path}/pulls/${issue.number}/reviews/${review.id}`, rest));
  }
  for (const page of (await ask(`${path}/wiki/pages`)) ?? []) yield `${path}/wiki/page/${page.sub_url}`;
  const [commit] = (await ask(`${path}/commits?limit=1`)) ?? [];
  if (commit)
    yield* [`${path}/commits/${commit.sha}/statuses`, `${path}/commits/${commit.sha}/status`, `${path}/git/commits/${commit.sha}`];
}

function join(path: string, rest: string): string {
  return rest === '' ? path : `${path}/${rest}`;
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
async function* all(ask: Ask, path: string): AsyncGenerator<any> {
  for (let page = 1; ; page++) {
    const found = await ask(`${path}${path.includes('?') ? '&' : '?'}limit=50&page=${page}`);
    const list = Array.isArray(found) ? found : (found?.data ?? []);
    yield* list;
    if (list.length < 50) return;
  }
}

async function* some<T>(list: AsyncIterable<T>, every: number): AsyncGenerator<T> {
  let n = 0;
  for await (const one of list) if (n++ % every === 0) yield one;
}
