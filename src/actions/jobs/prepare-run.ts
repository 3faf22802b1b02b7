import { randomInt } from 'node:crypto';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Expansion, NewRun, WorkflowResult } from '../workflows/file/workflow-task.ts';
import { contentOf, type StoredWorkflow } from '../workflows/files.ts';
import { expandAllInWorker, expandInWorker } from '../workflows/in-worker.ts';
import { inputsOfRun } from './contexts.ts';
import { githubContext } from './github-context.ts';
import { variablesOfRun } from './variables.ts';

/** A new run. */
export interface RunRequest {
  readonly repository: Repository;
  readonly actor: User;
  readonly workflowId: string;
  /** The summary of the commit, which `run-name` replaces. */
  readonly title: string;
  readonly ref: string;
  readonly commitSha: string;
  readonly event: string;
  readonly triggerEvent: string;
  /** JSON. */
  readonly payload: string;
  readonly isForkPullRequest: boolean;
  readonly needsApproval: boolean;
  readonly scheduleId: number | null;
}

/** A run with its jobs, ready to insert. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly expanded: NewRun;
  /** Placeholders for the id and the number of the run, which are known once it is inserted. */
  readonly markers: { readonly id: string; readonly number: string };
}

const MARKER_RANGE = 2 ** 47;

/**
 * Expands a workflow into the jobs of a run, outside a transaction.
 * @param content the workflow file
 * @throws WorkflowError
 */
export async function prepareRun(context: Context, request: RunRequest & { readonly content: string }): Promise<PreparedRun> {
  const markers = newMarkers();
  const vars = await varsOf(context, request.repository);
  const expanded = await expandInWorker(context, request.content, contextsOfNew(context, request, markers, vars));
  return { request, expanded, markers };
}

/** A run of a workflow file that is in the repository. */
export type StoredRunRequest = RunRequest & { readonly file: StoredWorkflow };

/**
 * {@link prepareRun} for several of one repository and one event, at once. The part that is common to all runs of a file is cached by the id of
 * its text. Invalid files are logged, and left out.
 */
export async function prepareRuns(context: Context, requests: readonly StoredRunRequest[]): Promise<PreparedRun[]> {
  const [first] = requests;
  if (!first) return [];
  const markers = requests.map(newMarkers);
  const results = requests.map(({ repository, file }) => fixedRun(context, repository, file));
  const missing = requests.flatMap((_, at) => (results[at] ? [] : [at]));
  const vars = missing.length > 0 ? await varsOf(context, first.repository) : {};
  const event: unknown = missing.length > 0 ? JSON.parse(first.payload) : null;
  const workflows: Expansion[] = [];
  const expanded: number[] = [];
  for (const at of missing) {
    const [request, marker] = [requests[at], markers[at]];
    const text = request && (await contentOf(context, request.repository, request.file));
    if (!request || !marker || text === undefined) continue;
    workflows.push({ text, contexts: contextsOfNew(context, request, marker, vars, event) });
    expanded.push(at);
  }
  for (const [index, result] of (await expandAllInWorker(context, workflows)).entries()) {
    const at = expanded[index] ?? 0;
    results[at] = result;
    const request = requests[at];
    if (request && 'value' in result && result.value.isFixed) keepFixedRun(context, request.repository, request.file, result);
  }
  return requests.flatMap((request, at) => {
    const [result, marker] = [results[at], markers[at]];
    if (!result || !marker) return [];
    if ('value' in result) return [{ request, expanded: result.value, markers: marker }];
    const facts = { repository: request.repository.id, workflow: request.workflowId, problem: result.problem };
    context.log.info(facts, 'a workflow cannot be started');
    return [];
  });
}

function newMarkers(): PreparedRun['markers'] {
  // Digits, because expressions may compare them.
  const marker = () => `8${randomInt(MARKER_RANGE)}${randomInt(MARKER_RANGE)}`;
  return { id: marker(), number: marker() };
}

async function varsOf(context: Context, { id, owner_id }: Repository): Promise<Record<string, string>> {
  return await variablesOfRun(context, { repository_id: id, owner_id });
}

/** The contexts for expressions of a new run. */
function contextsOfNew(
  context: Context,
  request: RunRequest,
  { id, number }: PreparedRun['markers'],
  vars: Record<string, string>,
  event?: unknown,
) {
  const source = { ...rowOfRequest(request), id, number };
  const github = githubContext(context, request.repository, request.actor, source, { event });
  return { github, vars, inputs: inputsOfRun(source) };
}

/** The columns of a run that come from its request. */
export function rowOfRequest(request: RunRequest) {
  return {
    workflow_id: request.workflowId,
    ref: request.ref,
    commit_sha: request.commitSha,
    event: request.event,
    trigger_event: request.triggerEvent,
    event_payload: request.payload,
  };
}

const keyOf = ({ oid }: StoredWorkflow) => `workflow-run ${oid}`;

function fixedRun({ git }: Context, repository: Repository, file: StoredWorkflow): WorkflowResult<NewRun> | undefined {
  return git.pool.cache.get(git.locate(repository), keyOf(file));
}

function keepFixedRun({ git }: Context, repository: Repository, file: StoredWorkflow, result: WorkflowResult<NewRun>): void {
  git.pool.cache.set(git.locate(repository), keyOf(file), result, 200 + 2 * JSON.stringify(result).length);
}
