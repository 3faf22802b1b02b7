import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { notFound, notFoundBecause } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import type { DispatchInput } from './file/triggers.ts';
import { commitOfRef, readWorkflows, workflowsOf } from './files.ts';
import { presentWorkflows } from './present.ts';
import type { ActionWorkflow } from './schema.ts';

type Wire = Shape<typeof ActionWorkflow>;

/**
 * The workflows of the default branch.
 * @throws HttpError 404 for a repository without one
 */
export async function listWorkflows(context: Context, repository: Repository): Promise<Wire[]> {
  const ref = `refs/heads/${repository.default_branch}`;
  const commit = await commitOfRef(context, repository, ref);
  if (commit === undefined) throw notFound();
  const folder = await workflowsOf(context, repository, commit);
  return folder ? await presentWorkflows(context, repository, folder, folder.files, ref) : [];
}

/**
 * A workflow of the default branch by the name of its file.
 * @throws HttpError 404
 */
export async function getWorkflow(context: Context, repository: Repository, id: string): Promise<Wire> {
  const found = await findWorkflow(context, repository, `refs/heads/${repository.default_branch}`, id);
  if (!found) throw notFoundBecause(`workflow ${JSON.stringify(id)} not found`);
  return found;
}

/** The workflow of a run: as it is at the ref of the run, or else on the default branch. */
export async function workflowOfRun(
  context: Context,
  repository: Repository,
  run: { readonly ref: string; readonly workflowId: string },
): Promise<Wire | undefined> {
  const atRef = await findWorkflow(context, repository, run.ref, run.workflowId);
  return atRef ?? (await findWorkflow(context, repository, `refs/heads/${repository.default_branch}`, run.workflowId));
}

async function findWorkflow(context: Context, repository: Repository, ref: string, id: string): Promise<Wire | undefined> {
  const commit = ref.startsWith('refs/') ? await commitOfRef(context, repository, ref) : ref;
  const folder = commit === undefined ? undefined : await workflowsOf(context, repository, commit);
  const file = folder?.files.find(({ name }) => name === id);
  if (!folder || !file) return undefined;
  const [shown] = await presentWorkflows(context, repository, folder, [file], ref);
  return shown;
}

/**
 * What a workflow can be given when it is started by hand, as it is at a ref; undefined for one that cannot be started so.
 * @param ref the full name of a branch or tag; the default branch when left out
 */
export async function dispatchInputsOf(
  context: Context,
  repository: Repository,
  id: string,
  ref = `refs/heads/${repository.default_branch}`,
): Promise<readonly DispatchInput[] | undefined> {
  const commit = await commitOfRef(context, repository, ref);
  const folder = commit === undefined ? undefined : await workflowsOf(context, repository, commit);
  const file = folder?.files.find(({ name }) => name === id);
  if (!file) return undefined;
  const [workflow] = await readWorkflows(context, repository, [file]);
  return workflow && 'value' in workflow.result ? workflow.result.value.dispatchInputs : undefined;
}
