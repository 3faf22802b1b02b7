import type { JsonObject } from '@bufbuild/protobuf';
import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import { triggerUser } from '../jobs/contexts.ts';
import { jobsOfRun } from '../jobs/find.ts';
import { githubContext } from '../jobs/github-context.ts';
import { needsOf } from '../jobs/needs.ts';
import { RESULT } from '../protocol/messages.ts';
import { secretsOf } from '../secrets/secrets.ts';
import { variablesOf } from '../variables/variables.ts';
import { createRuntimeToken } from './runtime-token.ts';

/** The task of a job for a runner. */
interface NewTask {
  readonly taskId: number;
  /** The job's token. */
  readonly token: string;
  readonly job: ActionJob;
  readonly run: ActionRun;
}

/** The protocol's value of a state. */
export function resultOf(status: ActionStatus): number {
  const isFinal = status === 'success' || status === 'failure' || status === 'cancelled' || status === 'skipped';
  return isFinal ? RESULT[status] : RESULT.unspecified;
}

/** Everything that a runner needs to run a job. */
export async function taskMessage(context: Context, { taskId, token, job, run }: NewTask) {
  const repository = await findRepository(context.db, run.repository_id);
  if (!repository) throw new Error(`the repository of run ${run.id} is gone`);
  const of = { repositoryId: repository.id, ownerId: repository.owner_id };
  const actor = await triggerUser(context, run.trigger_user_id);
  const needs = await needsOf(context.db, job, await jobsOfRun(context.db, run.id));
  const github = githubContext(context, repository, actor, run, { job }) as JsonObject;
  const secrets = mayHaveSecrets(run) ? Object.fromEntries(await secretsOf(context, of)) : {};
  return {
    id: BigInt(taskId),
    workflowPayload: Buffer.from(job.payload),
    context: { ...github, token, gitea_runtime_token: await createRuntimeToken(context, { taskId, runId: run.id, jobId: job.id }) },
    secrets: { ...secrets, GITHUB_TOKEN: token, GITEA_TOKEN: token },
    vars: Object.fromEntries(await variablesOf(context, of)),
    needs: Object.fromEntries(
      Object.entries(needs).map(([key, { result, outputs }]) => [key, { outputs: { ...outputs }, result: resultOf(result) }]),
    ),
  };
}

/** A pull request from a fork runs its author's code; only `pull_request_target` runs the code of the base. */
export function mayHaveSecrets(run: Pick<ActionRun, 'is_fork_pull_request' | 'trigger_event'>): boolean {
  return !run.is_fork_pull_request || run.trigger_event === 'pull_request_target';
}
