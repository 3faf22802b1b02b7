import type { Context } from '../context.ts';
import { type Changes, changedFiles } from '../git/diff/changes.ts';
import { readCommit } from '../git/objects/commits.ts';
import { GitError } from '../git/processes/process.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { isDraftTitle, withAssigneesByName } from '../issues/present.ts';
import { type Embedded, headRepository, readEmbedded } from './embedded.ts';
import { headRef, type Pull } from './find.ts';
import { headTip } from './heads/tips.ts';
import { checkedSoon } from './mergeability/check.ts';
import type { PRBranchInfo, PullRequest } from './schema.ts';
import { pullDiffUrl, pullHtmlUrl } from './urls.ts';

type Wire = Shape<typeof PullRequest>;
type Side = Shape<typeof PRBranchInfo>;

/** A pull request on the wire, with statistics of its changes. */
export async function presentPull(context: Context, given: Pull): Promise<Wire> {
  const pull = await checkedSoon(context, given);
  const wire = await presentKnownPull(context, pull);
  return { ...wire, ...(await pullDetails(context, pull, wire.head?.sha ?? pull.head_id)) };
}

/** A pull request on the wire without {@link pullDetails}: needs nothing from git except refs. */
export async function presentKnownPull(context: Context, pull: Pull): Promise<Wire> {
  const embedded = await readEmbedded(context, [pull], { commenters: true });
  const wire = await present(context, pull, embedded);
  const repository = headRepository(pull, embedded);
  const tip = wire.head?.repo ? await headTip(context, pull, repository) : undefined;
  return { ...wire, head: wire.head && { ...wire.head, sha: tip ?? pull.head_id } };
}

/** The part that needs git: whether it can be merged, and statistics of its changes up to `head`. */
export async function pullDetails(context: Context, given: Pull, head: string) {
  const pull = await checkedSoon(context, given);
  const changes = pull.head_repository_id !== null && pull.flow === 'branch' ? await changesOf(context, pull, head) : undefined;
  return {
    mergeable: isMergeable(context, pull),
    merge_base: pull.merge_base,
    ...(changes && { additions: changes.additions, deletions: changes.deletions, changed_files: changes.files.length }),
  };
}

/** A pull request like {@link presentPull}, but as in a list. */
export async function presentPinnedPull(context: Context, pull: Pull): Promise<Wire> {
  return withAssigneesByName(await presentPull(context, pull));
}

/**
 * A list of pull requests on the wire, in as many queries as for one and without statistics. No reviewers are an empty list there, and
 * the merger and the requested teams are shown only for a single one, as clients expect.
 */
export async function presentPulls(context: Context, pulls: readonly Pull[]): Promise<Wire[]> {
  if (pulls.length === 0) return [];
  const embedded = await readEmbedded(context, pulls, { commenters: false });
  const presented = await Promise.all(pulls.map((pull) => present(context, pull, embedded)));
  return presented.map(withAssigneesByName).map((wire) => ({
    ...wire,
    assignees: orNull(wire.assignees),
    requested_reviewers: orNull(wire.requested_reviewers),
    requested_reviewers_teams: null,
    merged_by: null,
  }));
}

function orNull<T>(list: readonly T[] | null): T[] | null {
  return list && list.length > 0 ? [...list] : null;
}

/** The number of changed files and lines; undefined if unknown, for example if there are too many. */
export async function changesOf({ git, log }: Context, pull: Pull, head: string): Promise<Changes | undefined> {
  const folder = git.locate(pull.issue.repository);
  try {
    // A fork's branch may be ahead of what has been copied from it.
    const known = head === pull.head_id || (await readCommit(folder, git.pool, head)) ? head : pull.head_id;
    return await changedFiles(folder, git.pool, pull.merge_base, known);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    log.warn({ err: error, pull: pull.id }, 'the changes of a pull request cannot be computed');
    return undefined;
  }
}

async function present(context: Context, pull: Pull, embedded: Embedded): Promise<Wire> {
  const { settings } = context;
  const { issue } = pull;
  const wire = embedded.issues.get(pull.issue_id);
  if (!wire) throw new Error('an issue was lost on its way');
  const isDraft = isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title);
  const reviews = embedded.reviews.get(issue.id) ?? 0;
  const reviewers = embedded.reviewers.get(issue.id);
  const isMerged = issue.merged_at !== null;
  return {
    id: pull.id,
    url: pullHtmlUrl(settings, pull),
    number: pull.number,
    user: wire.user,
    title: wire.title,
    body: wire.body,
    labels: wire.labels,
    milestone: wire.milestone,
    assignee: wire.assignee,
    assignees: wire.assignees ?? [],
    requested_reviewers: (reviewers?.userIds ?? []).map(embedded.user),
    requested_reviewers_teams: (reviewers?.teams ?? []).flatMap(({ id }) => embedded.teams.get(id) ?? []),
    state: wire.state,
    draft: isDraft,
    is_locked: wire.is_locked,
    comments: wire.comments,
    ...(reviews > 0 && { review_comments: reviews }),
    html_url: pullHtmlUrl(settings, pull),
    diff_url: pullDiffUrl(settings, pull, 'diff'),
    patch_url: pullDiffUrl(settings, pull, 'patch'),
    mergeable: isMergeable(context, pull),
    merged: isMerged,
    merged_at: issue.merged_at === null ? null : wireTime(issue.merged_at),
    merge_commit_sha: isMerged ? pull.merged_commit_id : null,
    merged_by: isMerged && pull.merger_id !== null ? embedded.user(pull.merger_id) : null,
    allow_maintainer_edit: pull.allow_maintainer_edit,
    base: await presentBase(pull, embedded),
    head: await presentHead(pull, embedded),
    merge_base: pull.merge_base,
    due_date: wire.due_date,
    created_at: wire.created_at,
    updated_at: wire.updated_at,
    closed_at: wire.closed_at,
    pin_order: wire.pin_order,
    content_version: wire.content_version,
  };
}

function isMergeable({ settings }: Context, { issue, status }: Pull): boolean {
  const isDraft = isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title);
  return !isDraft && status !== 'checking' && status !== 'conflict' && status !== 'error';
}

async function presentBase(pull: Pull, { presented, tip }: Embedded): Promise<Side> {
  const { repository } = pull.issue;
  return {
    label: pull.base_branch,
    ref: pull.base_branch,
    sha: (await tip(repository, pull.base_branch)) ?? '',
    repo_id: repository.id,
    repo: presented.get(repository.id) ?? null,
  };
}

async function presentHead(pull: Pull, embedded: Embedded): Promise<Side> {
  const repository = headRepository(pull, embedded);
  const branch = pull.flow === 'branch' ? pull.head_branch : '';
  // A user who sees a private repository knows its forks anyway.
  const shown = repository && (pull.issue.repository.is_private || embedded.isShown(repository)) ? repository : undefined;
  const isThere = repository !== undefined && branch !== '' && (await embedded.tip(repository, branch)) !== undefined;
  return {
    label: branch,
    ref: isThere ? branch : headRef(pull),
    sha: pull.head_id,
    repo_id: shown?.id ?? -1,
    repo: shown ? (embedded.presented.get(shown.id) ?? null) : null,
  };
}
