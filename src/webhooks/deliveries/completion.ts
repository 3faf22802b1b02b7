import { findRepository, type Repository } from '../../access/find-repository.ts';
import { workflowOfRun } from '../../actions/workflows/workflows.ts';
import { pushedCommits } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { findPullById } from '../../pulls/find.ts';
import { pullDetails } from '../../pulls/present.ts';
import { payloadCommits } from '../payloads/commits.ts';
import { isForPeople } from './events.ts';

/** The additions to a payload before it is sent. They are not read from git in the transaction of the change, and cannot change later. */
export type Completion =
  /** The commits that a push brought. */
  | { kind: 'push'; repositoryId: number; ref: string; oldId: string; newId: string }
  /** The commit that a check is about. */
  | { kind: 'status'; repositoryId: number; sha: string }
  /** The workflow of a run. */
  | { kind: 'workflow'; repositoryId: number; ref: string; workflowId: string }
  /** How much the pull request of the payload changes, and whether it can be merged. */
  | { kind: 'pull' };

interface PullPayload {
  pull_request: { id: number; head: { sha: string } | null } | null;
}

/** The complete payload of a delivery; undefined if there is nothing to send. */
export async function completedPayload(context: Context, hook: Webhook, delivery: WebhookDelivery): Promise<string | undefined> {
  const completion = delivery.completion as Completion | null;
  if (!completion) return delivery.payload;
  const payload = JSON.parse(delivery.payload) as object;
  const found = await completionOf(context, payload, completion, isForPeople(hook));
  return found && JSON.stringify({ ...payload, ...found }, null, 2);
}

/**
 * What is added to a payload; undefined where it turns out that there is nothing to send.
 * @param needsCommits a push without commits is nothing
 */
export async function completionOf(
  context: Context,
  payload: object,
  completion: Completion,
  needsCommits: boolean,
): Promise<object | undefined> {
  if (completion.kind === 'pull') return await ofPull(context, payload as PullPayload);
  if (completion.kind === 'workflow') return await ofWorkflow(context, completion);
  return await ofCommits(context, completion, needsCommits);
}

async function ofWorkflow(context: Context, run: Extract<Completion, { kind: 'workflow' }>): Promise<object | undefined> {
  const repository = await findRepository(context.db, run.repositoryId);
  const workflow = repository && (await workflowOfRun(context, repository, run));
  return workflow && { workflow };
}

async function ofPull(context: Context, { pull_request: shown }: PullPayload): Promise<object> {
  const pull = shown && (await findPullById(context.db, shown.id));
  if (!shown || !pull) return {};
  return { pull_request: { ...shown, ...(await pullDetails(context, pull, shown.head?.sha ?? pull.head_id)) } };
}

async function ofCommits(
  context: Context,
  completion: Extract<Completion, { kind: 'push' | 'status' }>,
  needsCommits: boolean,
): Promise<object | undefined> {
  const repository = await findRepository(context.db, completion.repositoryId);
  if (completion.kind === 'push') return repository && ofPush(context, repository, completion, needsCommits);
  const commit = repository && (await readCommit(context.git.locate(repository), context.git.pool, completion.sha));
  const [shown = null] = commit ? await payloadCommits(context, repository, [commit]) : [];
  return { commit: shown };
}

async function ofPush(
  context: Context,
  repository: Repository,
  update: Extract<Completion, { kind: 'push' }>,
  needsCommits: boolean,
): Promise<object | undefined> {
  const push = await pushedCommits(context, repository, update);
  if (!push || (push.commits.length === 0 && needsCommits)) return undefined;
  const [head = null] = push.head ? await payloadCommits(context, repository, [push.head]) : [];
  return {
    compare_url: context.settings.server.rootUrl + push.compare,
    commits: await payloadCommits(context, repository, push.commits),
    total_commits: push.total,
    head_commit: head,
  };
}
