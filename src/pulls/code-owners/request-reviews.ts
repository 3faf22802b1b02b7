import type { Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { StoredEvent } from '../../events/events.ts';
import { changedFiles } from '../../git/diff/changes.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { GitLimitError } from '../../git/processes/process.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { changingIssue, findIssuesById } from '../../issues/find.ts';
import { isDraftTitle } from '../../issues/present.ts';
import { teamHasRepository } from '../../organizations/teams/repositories.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { findPullOfIssue, type Pull } from '../find.ts';
import { branchTip } from '../heads/tips.ts';
import { requestedReviewers } from '../reviews/find.ts';
import { addRequests } from '../reviews/requests.ts';
import type * as task from './owners-task.ts';

/** The possible paths of the file on the default branch; the first that exists counts. */
const FILES = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS'];
/** Size limit of the file in bytes; a larger one is not read. */
const MAX_FILE = 3 * 1024 * 1024;
const TASK = new URL('./owners-task.ts', import.meta.url);
/** Milliseconds; the task stops by itself before. */
const DEADLINE_MS = 10_000;

/**
 * Requests reviews from the owners of the changed files, in the name of the author. Users who already have a request or a review get none.
 * Drafts and forks have no such requests.
 */
export async function requestCodeOwners(context: Context, pull: Pull): Promise<void> {
  const { issue } = pull;
  const isDraft = isDraftTitle(context.settings.pulls.workInProgressPrefixes, issue.title);
  if (issue.is_closed || isDraft || issue.repository.fork_id !== null) return;
  const names = await ownersOf(context, pull);
  if (names.length === 0) return;
  const users = await usersByName(context, pull, names);
  const teams = await teamsByName(context, issue.repository, names);
  if (users.length === 0 && teams.length === 0) return;
  const author = (await findUserById(context.db, issue.author_id)) ?? null;
  await changingIssue({ ...context, actor: author }, issue, async (context, issue) => {
    const known = (await requestedReviewers(context, [pull])).get(issue.id)?.userIds ?? [];
    const reviewers = users.filter((user) => user.id !== issue.author_id && !known.includes(user.id));
    if (!issue.is_closed) await addRequests(context, { ...pull, issue }, { users: reviewers, teams });
  });
}

/** {@link requestCodeOwners} for a pull request that was opened, got new commits, or is not a draft any more. */
export async function requestCodeOwnersOf(
  { type, payload }: StoredEvent<'issue.opened' | 'issue.edited' | 'pull.synchronized'>,
  context: Context,
): Promise<void> {
  const issue = (await findIssuesById(context.db, [payload.issueId])).get(payload.issueId);
  const wasDraft = 'oldTitle' in payload && isDraftTitle(context.settings.pulls.workInProgressPrefixes, payload.oldTitle ?? '');
  if (!issue?.is_pull || (type === 'issue.edited' && !wasDraft)) return;
  const pull = await findPullOfIssue(context.db, issue);
  if (pull) await requestCodeOwners(context, pull);
}

/** The names of the users and teams that own the changed files, by the rules of the repository. */
export async function ownersOf(context: Context, pull: Pull): Promise<string[]> {
  const text = await readOwners(context, pull.issue.repository);
  if (text === undefined || pull.merge_base === '') return [];
  const { git, log, workers } = context;
  try {
    const { files } = await changedFiles(git.locate(pull.issue.repository), git.pool, pull.merge_base, pull.head_id);
    const paths = files.map(({ path }) => path).join('\0');
    return await workers.run<typeof task>(TASK, { text, paths }, { background: true, deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (!(error instanceof GitLimitError || error instanceof WorkerLimitError)) throw error;
    log.warn({ err: error, pull: pull.id }, 'the code owners of a pull request cannot be determined');
    return [];
  }
}

async function readOwners(context: Context, repository: Repository): Promise<string | undefined> {
  const { git } = context;
  const located = git.locate(repository);
  const tip = await branchTip(context, repository, repository.default_branch);
  const commit = tip === undefined ? undefined : await readCommit(located, git.pool, tip);
  for (const path of commit ? FILES : []) {
    const entry = commit && (await findEntry(located, git.pool, commit.tree, path));
    if (entry?.type !== 'blob') continue;
    const info = await git.pool.info(located, entry.oid);
    const blob = info && info.size <= MAX_FILE ? await git.pool.read(located, info.oid, { maxSize: MAX_FILE }) : undefined;
    return blob?.data.toString('utf8');
  }
  return undefined;
}

/** The users among the owners who may read the pull request. */
async function usersByName(context: Context, { issue }: Pull, names: readonly string[]): Promise<User[]> {
  const lower = names.filter((name) => !name.includes('/')).map((name) => name.toLowerCase());
  if (lower.length === 0) return [];
  const users = await context.db
    .selectFrom('users')
    .selectAll()
    .where('lower_name', 'in', lower)
    .where('type', '=', 'individual')
    .execute();
  users.sort((a, b) => lower.indexOf(a.lower_name) - lower.indexOf(b.lower_name));
  const readers: User[] = [];
  for (const user of users) if ((await repositoryAccess(context, issue.repository, user)).canRead('pulls')) readers.push(user);
  return readers;
}

/** The teams of the repository's organization among the owners; others are ignored. */
async function teamsByName(context: Context, repository: Repository, names: readonly string[]): Promise<Team[]> {
  const prefix = `${repository.owner.lower_name}/`;
  const wanted = names.flatMap((name) => (name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : []));
  if (repository.owner.type !== 'organization' || wanted.length === 0) return [];
  const teams = await context.db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', repository.owner_id)
    .where('name', 'in', wanted)
    .execute();
  teams.sort((a, b) => wanted.indexOf(a.name) - wanted.indexOf(b.name));
  const readers: Team[] = [];
  for (const team of teams) if (!repository.is_private || (await teamHasRepository(context, team, repository.id))) readers.push(team);
  return readers;
}
