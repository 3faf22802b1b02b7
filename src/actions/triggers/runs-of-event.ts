import type { Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isNone } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { changedFiles, commitChanges, withoutRenames } from '../../git/diff/changes.ts';
import { readCommit, summary } from '../../git/objects/commits.ts';
import { GitError, GitLimitError } from '../../git/processes/process.ts';
import { triggerUser } from '../jobs/contexts.ts';
import { type PreparedRun, prepareRuns } from '../jobs/prepare-run.ts';
import { disabledWorkflows } from '../workflows/disabled.ts';
import type { Trigger } from '../workflows/file/triggers.ts';
import { commitOfRef, type ReadWorkflow, readWorkflows, workflowsOf } from '../workflows/files.ts';
import { canBeSkipped, isOfPull, isReview } from './events.ts';
import { asksForPaths, type EventPayload, isFor } from './match.ts';
import { matchingTriggers } from './match-all.ts';
import { pullOfEvent } from './pull.ts';
import { isNestedTooDeeply } from './recursion.ts';

/** An event, and the commit whose workflows it may start. */
export interface Happening {
  readonly event: string;
  readonly actorId: number;
  readonly issueId: number | null;
  readonly ref: string;
  readonly commit: string;
  readonly payload: EventPayload;
}

/** A workflow that starts. */
interface Match {
  readonly workflow: ReadWorkflow;
  readonly trigger: Trigger;
}

/** The runs that an event starts, one for each workflow and each of its matching triggers. */
export async function runsOf(context: Context, repository: Repository, happening: Happening): Promise<PreparedRun[]> {
  const { event, payload, commit: commitId, actorId } = happening;
  const { git } = context;
  const commit = await readCommit(git.locate(repository), git.pool, commitId);
  const pull = await pullOfEvent(context, happening.issueId);
  if (!commit || isSkipped(context, event, [commit.message, pull?.title ?? ''])) return [];
  if (event === 'workflow_run' && (await isNestedTooDeeply(context, repository, payload))) return [];
  const found = await findMatches(context, repository, happening);
  if (found.length === 0) return [];
  const actor = await triggerUser(context, actorId);
  const isTrusted = !pull?.isFromFork || (await areTrusted(context, repository, [actor, await triggerUser(context, pull.authorId)]));
  const text = JSON.stringify(payload);
  return await prepareRuns(
    context,
    found.map(({ workflow, trigger }) => ({
      repository,
      actor,
      workflowId: workflow.name,
      file: workflow,
      title: summary(commit.message),
      ref: happening.ref,
      commitSha: commitId,
      event,
      triggerEvent: trigger.name,
      payload: text,
      isForkPullRequest: pull?.isFromFork ?? false,
      // A run for the target uses a workflow of the target.
      needsApproval: !isTrusted && trigger.name !== 'pull_request_target',
      scheduleId: null,
    })),
  );
}

function isSkipped({ settings }: Context, event: string, texts: readonly string[]): boolean {
  return canBeSkipped(event) && settings.actions.skipWords.some((word) => texts.some((text) => text.includes(word)));
}

async function findMatches(context: Context, repository: Repository, happening: Happening): Promise<Match[]> {
  const { event, payload, commit } = happening;
  const matched = { event, payload, changedPaths: once(() => changedPaths(context, repository, happening)) };
  const disabled = await disabledWorkflows(context, repository.id);
  const own = await matchesIn(context, repository, commit, matched);
  const found = own.filter(({ trigger, workflow }) => trigger.name !== 'pull_request_target' && !disabled.has(workflow.name));
  const base = isOfPull(event) && !isReview(event) ? payload.pull_request?.base.ref : undefined;
  const baseCommit = base === undefined ? undefined : await commitOfRef(context, repository, `refs/heads/${base}`);
  if (baseCommit === undefined) return found;
  const ofTarget = await matchesIn(context, repository, baseCommit, matched);
  return [...found, ...ofTarget.filter(({ trigger, workflow }) => trigger.name === 'pull_request_target' && !disabled.has(workflow.name))];
}

async function matchesIn(
  context: Context,
  repository: Repository,
  commit: string,
  { changedPaths, ...event }: Pick<Happening, 'event' | 'payload'> & { changedPaths: () => Promise<readonly string[] | undefined> },
): Promise<Match[]> {
  const folder = await workflowsOf(context, repository, commit);
  if (!folder) return [];
  const workflows = await readWorkflows(context, repository, folder.files);
  const possible = workflows.flatMap((workflow): Match[] =>
    // An invalid file starts nothing.
    'value' in workflow.result
      ? workflow.result.value.triggers.filter((trigger) => isFor(trigger, event.event)).map((trigger) => ({ workflow, trigger }))
      : [],
  );
  const triggers = possible.map(({ trigger }) => trigger);
  const paths = triggers.some(asksForPaths) ? await changedPaths() : undefined;
  const found = await matchingTriggers(context, triggers, { ...event, changedPaths: paths });
  return possible.filter((_, at) => found[at]);
}

/** The files that a push or a pull request changes. Undefined when that takes too long. */
async function changedPaths(
  { git, log }: Context,
  repository: Repository,
  { payload, commit }: Happening,
): Promise<readonly string[] | undefined> {
  const place = git.locate(repository);
  const pull = payload.pull_request;
  const base = pull ? pull.merge_base : payload.before;
  const head = pull ? pull.head.sha : commit;
  try {
    const changes =
      base === undefined || base === '' || isNone(base)
        ? (await commitChanges(place, git.pool, [head])).get(head)
        : await changedFiles(place, git.pool, base, head);
    return withoutRenames(changes?.files ?? []).map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof GitLimitError) && !(error instanceof GitError)) throw error;
    log.info({ repository: repository.id, commit, error }, 'the files that a push changed cannot be listed');
    return undefined;
  }
}

/**
 * Whether runs for a pull request from a fork need no approval: neither because of the user who caused them, nor because of its author. A
 * maintainer who labels or reviews it has not checked its workflows.
 */
async function areTrusted(context: Context, repository: Repository, people: readonly User[]): Promise<boolean> {
  for (const [id, user] of new Map(people.map((user) => [user.id, user])))
    if (id <= 0 || !(await isTrustedIn(context, repository, user))) return false;
  return true;
}

async function isTrustedIn(context: Context, repository: Repository, actor: User): Promise<boolean> {
  if (actor.is_restricted) return false;
  if ((await repositoryAccess({ ...context, actor: null }, repository, actor)).canWrite('actions')) return true;
  const merged = await context.db
    .selectFrom('issues')
    .innerJoin('pull_requests', 'pull_requests.issue_id', 'issues.id')
    .select('issues.id')
    .where('issues.repository_id', '=', repository.id)
    .where('issues.author_id', '=', actor.id)
    .where('issues.is_pull', '=', true)
    .where('merged_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return merged !== undefined;
}

function once<T>(compute: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= compute();
    return result;
  };
}
