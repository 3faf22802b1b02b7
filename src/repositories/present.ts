import { findRepositories, type Repository } from '../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import { presentUser } from '../accounts/users/present.ts';
import type { User as UserShape } from '../accounts/users/schema.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { MirrorRow } from '../database/tables/mirrors.ts';
import { presentOnce } from '../http/present-once.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { formatGoDuration } from '../text/go-duration.ts';
import { joined } from '../text/joined.ts';
import type { Repository as RepositoryShape } from './schema.ts';
import { presentTransfers } from './transfer/present.ts';
import { cloneUrl, repositoryApiUrl, repositoryHtmlUrl, sshUrl, withoutCredentials } from './urls.ts';

type Wire = Shape<typeof RepositoryShape>;

/** Data for the presentation of repositories besides their own rows, read for a whole list at once. */
interface Related {
  parents: ReadonlyMap<number, Repository>;
  transfers: ReadonlyMap<number, Wire['repo_transfer']>;
  mirrors: ReadonlyMap<number, Pick<MirrorRow, 'interval' | 'updated_at'>>;
  /** The owner, as readers of the repository see it, and as everybody else does. */
  owner: Record<'reader' | 'stranger', (owner: User) => Shape<typeof UserShape>>;
}

/**
 * A repository on the wire, with the caller's permissions. Its language is left out, as clients expect where a repository is
 * part of something else or after a change: see {@link withLanguages}.
 */
export async function presentRepository(context: Context, repository: Repository, access: RepositoryAccess): Promise<Wire> {
  return present(context, repository, access, await relatedOf(context, [repository]));
}

/** Repositories on the wire with their main language: where repositories are the subject of the request. */
export function withLanguages(shapes: readonly Wire[], repositories: readonly Repository[]): Wire[] {
  const languages = new Map(repositories.map(({ id, language }) => [id, language]));
  return shapes.map((shape) => ({ ...shape, language: languages.get(shape.id) ?? '' }));
}

/**
 * {@link presentRepository} for a list, in as many queries as for one.
 * @param access by id, if already known; the default is the caller's
 */
export async function presentRepositories(
  context: Context,
  repositories: readonly Repository[],
  access?: ReadonlyMap<number, RepositoryAccess>,
): Promise<Wire[]> {
  const known = access ?? (await repositoriesAccess(context, repositories, context.actor));
  const related = await relatedOf(context, repositories);
  return repositories.flatMap((repository) => {
    const own = known.get(repository.id);
    return own ? [present(context, repository, own, related)] : [];
  });
}

async function relatedOf(context: Context, repositories: readonly Repository[]): Promise<Related> {
  const parentIds = repositories.flatMap(({ fork_id }) => fork_id ?? []);
  const found = await findRepositories(context.db, parentIds);
  const access = await repositoriesAccess(context, found, context.actor);
  // Callers who may not see the source of a fork do not see its name either.
  const shown = found.filter((parent) => access.get(parent.id)?.isVisible);
  const parents = new Map(shown.map((parent) => [parent.id, parent]));
  return {
    parents,
    transfers: await presentTransfers(context, [...repositories, ...shown]),
    mirrors: await mirrorsOf(context, [...repositories, ...shown]),
    owner: {
      reader: presentOnce((owner: User) => presentUser(context, owner, 'reader')),
      stranger: presentOnce((owner: User) => presentUser(context, owner, null)),
    },
  };
}

async function mirrorsOf({ db }: Context, repositories: readonly Repository[]): Promise<Related['mirrors']> {
  const ids = repositories.filter(({ is_mirror }) => is_mirror).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('mirrors')
    .select(['repository_id', 'interval', 'updated_at'])
    .where('repository_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.repository_id, row]));
}

function present(context: Context, repository: Repository, access: RepositoryAccess, related: Related): Wire {
  const parent = repository.fork_id === null ? undefined : related.parents.get(repository.fork_id);
  return {
    ...presentAlone(context, repository, access, related),
    ...(parent && { parent: presentAlone(context, parent, access, related) }),
  };
}

function presentAlone(context: Context, repository: Repository, access: RepositoryAccess, related: Related): Wire {
  const mirror = related.mirrors.get(repository.id);
  const transfer = related.transfers.get(repository.id);
  const { settings } = context;
  const { owner, units } = repository;
  const url = repositoryApiUrl(settings, repository);
  return {
    id: repository.id,
    owner: related.owner[access.level > 0 ? 'reader' : 'stranger'](owner),
    name: repository.name,
    full_name: fullName(repository),
    description: repository.description,
    empty: repository.is_empty,
    private: repository.is_private,
    fork: repository.fork_id !== null,
    template: repository.is_template,
    mirror: repository.is_mirror,
    size: Math.floor(repository.size / 1024),
    language: '',
    languages_url: joined(url, '/languages'),
    html_url: repositoryHtmlUrl(settings, repository),
    url,
    link: '',
    ssh_url: sshUrl(settings, repository),
    clone_url: cloneUrl(settings, repository),
    original_url: withoutCredentials(repository.original_url),
    website: repository.website,
    stars_count: repository.stars_count,
    forks_count: repository.forks_count,
    watchers_count: repository.watchers_count,
    branch_count: repository.branches_count,
    open_issues_count: repository.issues_count - repository.closed_issues_count,
    open_pr_counter: repository.pulls_count - repository.closed_pulls_count,
    release_counter: repository.releases_count,
    default_branch: isBranchChosen(settings, repository) ? repository.default_branch : '',
    archived: repository.is_archived,
    created_at: wireTime(repository.created_at),
    updated_at: wireTime(repository.updated_at),
    archived_at: wireTime(repository.archived_at),
    permissions: { admin: access.isAdmin, push: access.canWrite('code'), pull: access.canRead('code') },
    has_code: units.code !== undefined,
    ...(transfer && { repo_transfer: transfer }),
    ...presentTrackers(repository),
    ...presentPulls(repository),
    has_projects: units.projects !== undefined,
    projects_mode: units.projects?.mode ?? 'all',
    has_releases: units.releases !== undefined,
    has_packages: units.packages !== undefined,
    has_actions: units.actions !== undefined,
    avatar_url: repositoryAvatarUrl(settings, repository),
    internal: !repository.is_private && owner.visibility === 'private',
    mirror_interval: mirror ? formatGoDuration(mirror.interval) : '',
    object_format_name: repository.object_format,
    mirror_updated: wireTime(mirror?.updated_at ?? null),
    topics: repository.topics,
    licenses: repository.licenses,
  };
}

function presentTrackers({ units: { issues, ext_issues: external, wiki, ext_wiki: externalWiki } }: Repository) {
  return {
    has_issues: issues !== undefined || external !== undefined,
    ...(issues && {
      internal_tracker: {
        enable_time_tracker: issues.timeTracking,
        allow_only_contributors_to_track_time: issues.onlyContributorsTrackTime,
        enable_issue_dependencies: issues.dependencies,
      },
    }),
    ...(!issues &&
      external && {
        external_tracker: {
          external_tracker_url: external.url,
          external_tracker_format: external.format,
          external_tracker_style: external.style,
          external_tracker_regexp_pattern: external.pattern,
        },
      }),
    has_wiki: wiki !== undefined || externalWiki !== undefined,
    ...(!wiki && externalWiki && { external_wiki: { external_wiki_url: externalWiki.url } }),
  };
}

/** Without the unit, the settings are those that clients expect then. */
function presentPulls({ units: { pulls } }: Repository) {
  return {
    has_pull_requests: pulls !== undefined,
    ignore_whitespace_conflicts: pulls?.ignoreWhitespaceConflicts ?? false,
    allow_merge_commits: pulls?.allowMerge ?? false,
    allow_rebase: pulls?.allowRebase ?? false,
    allow_rebase_explicit: pulls?.allowRebaseMerge ?? false,
    allow_squash_merge: pulls?.allowSquash ?? false,
    allow_fast_forward_only_merge: pulls?.allowFastForwardOnly ?? false,
    allow_rebase_update: pulls?.allowRebaseUpdate ?? false,
    allow_manual_merge: pulls?.allowManualMerge ?? true,
    autodetect_manual_merge: pulls?.autodetectManualMerge ?? false,
    default_delete_branch_after_merge: pulls?.defaultDeleteBranchAfterMerge ?? false,
    default_merge_style: pulls?.defaultMergeStyle ?? 'merge',
    default_allow_maintainer_edit: pulls?.defaultAllowMaintainerEdit ?? false,
    ...(pulls?.defaultTargetBranch && { default_target_branch: pulls.defaultTargetBranch }),
  };
}

/** The URL of a repository's avatar; empty for none. */
export function repositoryAvatarUrl({ server }: Pick<Context['settings'], 'server'>, { avatar }: Pick<Repository, 'avatar'>): string {
  return avatar ? `${server.rootUrl}repo-avatars/${avatar}` : '';
}

/** Clients see no default branch in what was made of a template without its files, until there is one, or where one was named. */
function isBranchChosen({ repository: { defaultBranch } }: Context['settings'], repository: Repository): boolean {
  return !repository.is_empty || repository.template_id === null || repository.default_branch !== defaultBranch;
}
