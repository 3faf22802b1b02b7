import type { Repository } from '../../access/find-repository.ts';
import { noAccess } from '../../access/repository-access.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ActionRun } from '../../database/tables/actions.ts';
import { readCommit, summary } from '../../git/objects/commits.ts';
import { forbidden, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { presentRepository } from '../../repositories/present.ts';
import { insertRun } from '../jobs/create-run.ts';
import { prepareRun } from '../jobs/prepare-run.ts';
import { triggersCaughtUp } from '../triggers/caught-up.ts';
import { disabledWorkflows } from './disabled.ts';
import { WorkflowError } from './file/error.ts';
import type { DispatchInput } from './file/triggers.ts';
import { commitOfRef, contentOf, readWorkflows, workflowsOf } from './files.ts';

/** The manual start of a workflow. */
export interface Dispatch {
  readonly workflowId: string;
  /** A branch, or the full name of a branch or tag. */
  readonly ref: string;
  /** By the names that the workflow declares; others are ignored. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** The full name of a branch or tag; a branch may be given by its short name. */
export function fullRef(given: string): string {
  return /^refs\/(heads|tags)\//.test(given) ? given : `refs/heads/${given}`;
}

/** Total length limit of all inputs; GitHub has the same limit. */
const MAX_INPUTS = 65_535;

/**
 * Starts a workflow.
 * @throws HttpError 404 for an unknown ref or workflow, 403 for a disabled one, 422 for one without a manual trigger
 */
export async function dispatchWorkflow(context: Context, repository: Repository, actor: User, dispatch: Dispatch): Promise<ActionRun> {
  const { workflowId, ref: given } = dispatch;
  if ((await disabledWorkflows(context, repository.id)).has(workflowId)) throw forbidden('workflow is disabled');
  const ref = fullRef(given);
  const commitId = await commitOfRef(context, repository, ref);
  if (commitId === undefined) throw notFoundBecause(`ref ${JSON.stringify(given)} doesn't exist`);
  const folder = await workflowsOf(context, repository, commitId);
  const file = folder?.files.find(({ name }) => name === workflowId);
  if (!file) throw notFoundBecause(`workflow ${JSON.stringify(workflowId)} doesn't exist`);
  const [workflow] = await readWorkflows(context, repository, [file]);
  if (!workflow || !('value' in workflow.result))
    throw unprocessable(`workflow ${JSON.stringify(workflowId)}: ${workflow ? (workflow.result as { problem: string }).problem : ''}`);
  const { dispatchInputs } = workflow.result.value;
  if (!dispatchInputs) throw unprocessable(`workflow ${JSON.stringify(workflowId)} has no workflow_dispatch event trigger`);
  const inputs = inputsOf(dispatchInputs, dispatch.inputs);
  const payload = {
    workflow: workflowId,
    ref: given,
    inputs,
    repository: await presentRepository(context, repository, noAccess(repository)),
    sender: presentUser(context, actor, null),
  };
  const { git } = context;
  await triggersCaughtUp(context, repository.id);
  const commit = await readCommit(git.locate(repository), git.pool, commitId);
  return await start(context, workflowId, {
    repository,
    actor,
    workflowId,
    content: (await contentOf(context, repository, file)) ?? '',
    title: summary(commit?.message ?? ''),
    ref,
    commitSha: commitId,
    event: 'workflow_dispatch',
    triggerEvent: 'workflow_dispatch',
    payload: JSON.stringify(payload),
    isForkPullRequest: false,
    needsApproval: false,
    scheduleId: null,
  });
}

async function start(context: Context, workflowId: string, request: Parameters<typeof prepareRun>[1]): Promise<ActionRun> {
  try {
    return await insertRun(context, await prepareRun(context, request));
  } catch (error) {
    if (error instanceof WorkflowError) throw unprocessable(`workflow ${JSON.stringify(workflowId)}: ${error.message}`);
    throw error;
  }
}

/** The values of all declared inputs. */
function inputsOf(declared: readonly DispatchInput[], given: Readonly<Record<string, string>>): Record<string, string> {
  const values = declared.map(
    ({ name, default: fallback }) => [name, Object.hasOwn(given, name) ? (given[name] ?? '') : fallback] as const,
  );
  if (values.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MAX_INPUTS)
    throw unprocessable(`inputs are longer than ${MAX_INPUTS} characters together`);
  return Object.fromEntries(values);
}
