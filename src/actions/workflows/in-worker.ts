import type { Context } from '../../context.ts';
import { WorkerLimitError, WorkerTaskError } from '../../workers/errors.ts';
import type { Concurrency, RawConcurrency } from './file/concurrency.ts';
import { WorkflowError } from './file/error.ts';
import type { ExpressionContexts } from './file/evaluate.ts';
import type * as task from './file/workflow-task.ts';
import type { Expansion, NewRun, WorkflowFile, WorkflowRequest, WorkflowResult } from './file/workflow-task.ts';

const TASK = new URL('./file/workflow-task.ts', import.meta.url);
/** Milliseconds. */
const DEADLINE_MS = 6000;
const TOO_LONG = 'the workflow takes too long to read';

/** Reads workflow files in a worker, in their order. */
export async function readInWorker(context: Context, texts: readonly string[]): Promise<WorkflowResult<WorkflowFile>[]> {
  if (texts.length === 0) return [];
  try {
    return (await runTask(context, { kind: 'read', texts })) as WorkflowResult<WorkflowFile>[];
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    // One of them is hostile: each gets a worker of its own.
    if (texts.length === 1) return [{ name: '', problem: error.message }];
    const results: WorkflowResult<WorkflowFile>[] = [];
    for (const text of texts) results.push(...(await readInWorker(context, [text])));
    return results;
  }
}

/**
 * Expands a workflow into jobs, with its expressions evaluated.
 * @throws WorkflowError
 */
export async function expandInWorker(context: Context, text: string, contexts: ExpressionContexts): Promise<NewRun> {
  return unwrap((await runTask(context, { kind: 'expand', text, contexts })) as WorkflowResult<NewRun>);
}

/** Expands several workflows, in their order, in one go. */
export async function expandAllInWorker(context: Context, workflows: readonly Expansion[]): Promise<WorkflowResult<NewRun>[]> {
  if (workflows.length === 0) return [];
  try {
    return (await runTask(context, { kind: 'expand-all', workflows })) as WorkflowResult<NewRun>[];
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    // One of them is hostile: each gets a worker of its own.
    if (workflows.length === 1) return [{ name: '', problem: error.message }];
    const results: WorkflowResult<NewRun>[] = [];
    for (const workflow of workflows) results.push(...(await expandAllInWorker(context, [workflow])));
    return results;
  }
}

/**
 * Evaluates the concurrency of a job.
 * @throws WorkflowError
 */
export async function evaluateInWorker(
  context: Context,
  job: { raw: RawConcurrency; payload: string; contexts: ExpressionContexts },
): Promise<Concurrency> {
  return unwrap((await runTask(context, { kind: 'concurrency', ...job })) as WorkflowResult<Concurrency>);
}

/** The names of the steps of a job; none where it takes too long to read. */
export async function stepNamesInWorker(context: Context, payload: string): Promise<string[]> {
  try {
    return (await runTask(context, { kind: 'steps', payload })) as string[];
  } catch (error) {
    if (error instanceof WorkflowError) return [];
    throw error;
  }
}

function unwrap<T>(result: WorkflowResult<T>): T {
  if ('value' in result) return result.value;
  throw new WorkflowError(result.problem);
}

async function runTask({ workers }: Context, request: WorkflowRequest) {
  try {
    return await workers.run<typeof task>(TASK, request, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) throw new WorkflowError(TOO_LONG);
    // What overflows the stack is nested too deeply.
    if (error instanceof WorkerTaskError) throw new WorkflowError(`the workflow cannot be read: ${error.message}`);
    throw error;
  }
}
