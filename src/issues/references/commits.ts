import { findRepository, isPublicRepository, type Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isBlockedByAny } from '../../accounts/blocks/blocked.ts';
import { ACTIONS_ID, actionsUser } from '../../accounts/users/ghost.ts';
import { followedRefs } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { StoredEvent } from '../../events/events.ts';
import { listCommits } from '../../git/history/log.ts';
import { movedHistory } from '../../git/history/moved-history.ts';
import { type Commit, readCommits, summary } from '../../git/objects/commits.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { excerpt } from '../../markup/excerpt.ts';
import type { ReferenceAction } from '../../markup/text/keywords.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { isBlocked } from '../dependencies/dependencies.ts';
import { canReadIssue, canWriteIssue, changingIssue, type Issue } from '../find.ts';
import { closeIssue, reopenIssue } from '../state.ts';
import { addEvent } from '../timeline/events.ts';
import { addTime } from '../times/times.ts';
import { MAX_REFERENCES, referencedIssue } from './references.ts';
import { namesInText } from './texts.ts';
import { loggedSeconds } from './time-log.ts';

/** Maximum number of commits of one push whose messages are read. */
const MAX_COMMITS = 1000;
/** The same for a new branch: most of its commits have been pushed before. */
const MAX_COMMITS_OF_NEW_BRANCH = 10;
/** References in all messages of one push. */
const MAX_REFERENCES_OF_PUSH = 5000;
/** Columns of the title of a commit in a timeline. */
const MAX_TITLE = 255;
const BRANCHES = 'refs/heads/';

/** After a push: issues named in commit messages get a row in their timelines, and are closed or reopened. */
export async function followCommitMessages({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  // Commits of a mirror refer to issues on the other server.
  if (payload.isMirror) return;
  const repository = await findRepository(context.db, payload.repositoryId);
  const actor = payload.actorId === ACTIONS_ID ? actionsUser : await findUserById(context.db, payload.actorId);
  if (!repository || !actor) return;
  const branches = payload.updates.filter(({ ref }) => ref.startsWith(BRANCHES));
  let followed = 0;
  for (const update of followedRefs(repository, branches)) {
    const branch = update.ref.slice(BRANCHES.length);
    for (const commit of await pushedCommits(context, repository, update)) {
      if (followed >= MAX_REFERENCES_OF_PUSH) return;
      followed += await followMessage({ ...context, actor }, actor, repository, branch, commit);
    }
  }
}

/** Oldest first. */
async function pushedCommits({ git }: Context, repository: Repository, update: RefUpdate): Promise<Commit[]> {
  const folder = git.locate(repository);
  const history = await movedHistory(folder, git.pool, update);
  if (!history) return [];
  const ids = await listCommits(folder, git.pool, history, { limit: history.exclude ? MAX_COMMITS : MAX_COMMITS_OF_NEW_BRANCH });
  return (await readCommits(folder, git.pool, ids)).reverse();
}

/** Returns the number of issues that the message names. */
async function followMessage(context: Context, actor: User, repository: Repository, branch: string, commit: Commit): Promise<number> {
  const { references } = await namesInText(context, commit.message);
  const followed = new Set<string>();
  for (const reference of references.slice(0, MAX_REFERENCES)) {
    const issue = await referencedIssue(context, repository, reference);
    const key = `${issue?.id} ${reference.action}`;
    if (!issue || followed.has(key)) continue;
    followed.add(key);
    await followReference(context, actor, { repository, branch, commit, issue, ...reference });
  }
  return followed.size;
}

interface CommitReference {
  repository: Repository;
  branch: string;
  commit: Commit;
  issue: Issue;
  action: ReferenceAction | undefined;
  /** The logged time, as written in the message. */
  timeLog: string | undefined;
}

async function followReference(context: Context, actor: User, reference: CommitReference): Promise<void> {
  const { issue, commit, action } = reference;
  const access = await repositoryAccess(context, issue.repository, actor);
  const mayClose = access.isAdmin || canWriteIssue(access, issue) || issue.author_id === actor.id;
  if (!mayClose && !canReadIssue(access, issue)) return;
  if (!access.isAdmin && (await isBlockedByAny(context.db, [issue.author_id, issue.repository.owner_id], actor))) return;
  if (issue.is_pull && (await context.provided.isMergeOf(context, issue, commit.oid))) return;
  await changingIssue(context, issue, async (context, issue) => {
    await refer(context, reference, issue);
    if (issue.is_pull || !mayClose || !action || !closesFrom(reference)) return;
    // A commit of a hidden repository closes an issue elsewhere without being named.
    const by = isShownAt(reference, issue) ? { commitId: commit.oid } : {};
    if (action === 'closes') {
      if (issue.is_closed || (await isBlocked(context, issue))) return;
      const seconds = issue.repository.units.issues?.timeTracking ? loggedSeconds(reference.timeLog ?? '') : 0;
      if (seconds > 0) await addTime(context, issue, actor, seconds, commit.author.seconds);
      await closeIssue(context, issue, by);
    } else await reopenIssue(context, issue, by);
  });
}

function isShownAt({ repository }: CommitReference, issue: Issue): boolean {
  return repository.id === issue.repository_id || isPublicRepository(repository);
}

/** Refers once for each commit, however many branches it is pushed to. */
async function refer(context: Context, { repository, commit }: CommitReference, issue: Issue): Promise<void> {
  const before = await context.db
    .selectFrom('comments')
    .select('id')
    .where('issue_id', '=', issue.id)
    .where('commit_id', '=', commit.oid)
    .where('kind', '=', 'commit_ref')
    .executeTakeFirst();
  if (before) return;
  const address = new URL(`${repositoryHtmlUrl(context.settings, repository)}/commit/${commit.oid}`).pathname;
  // Each issue that is named has a copy.
  const title = excerpt(summary(commit.message).slice(0, 2 * MAX_TITLE), MAX_TITLE);
  const body = `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`;
  await addEvent(context, issue, 'commit_ref', { commit_id: commit.oid, body, ref_repository_id: repository.id });
}

/** Whether commits of this branch close the issue: the branch of the issue, if it names one; the default branch otherwise. */
function closesFrom({ repository, branch, issue }: CommitReference): boolean {
  if (repository.closes_issues_on_any_branch) return true;
  return branch === (issue.ref === '' ? repository.default_branch : issue.ref.replace(BRANCHES, ''));
}
