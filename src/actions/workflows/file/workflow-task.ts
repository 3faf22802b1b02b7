import { child, textAt } from './access.ts';
import { type Concurrency, evaluateConcurrency, type RawConcurrency, readConcurrency } from './concurrency.ts';
import { WorkflowError } from './error.ts';
import { type ExpressionContexts, Expressions } from './evaluate.ts';
import { type NewJob, readJobs } from './jobs.ts';
import { stepNamesOf } from './step-names.ts';
import { type MappingTree, parseTree, type Tree } from './tree.ts';
import { type DispatchInput, readDispatchInputs, readTriggers, type Trigger } from './triggers.ts';

/** What a workflow file says of itself. */
export interface WorkflowFile {
  /** Empty without one. */
  readonly name: string;
  readonly triggers: readonly Trigger[];
  /** Undefined when it cannot be started by hand. */
  readonly dispatchInputs: readonly DispatchInput[] | undefined;
}

/** A run of a workflow that is to be. */
export interface NewRun {
  readonly name: string;
  /** Empty without one. */
  readonly runName: string;
  readonly rawConcurrency: RawConcurrency | undefined;
  readonly concurrency: Concurrency | undefined;
  readonly jobs: readonly NewJob[];
  /** Every run of this file has the same. */
  readonly isFixed: boolean;
}

/** A workflow file, and what its expressions refer to. */
export interface Expansion {
  readonly text: string;
  readonly contexts: ExpressionContexts;
}

/** What is to be done with a workflow file. */
export type WorkflowRequest =
  /** Of several files. */
  | { readonly kind: 'read'; readonly texts: readonly string[] }
  | ({ readonly kind: 'expand' } & Expansion)
  /** Of several files, in their order. */
  | { readonly kind: 'expand-all'; readonly workflows: readonly Expansion[] }
  | {
      readonly kind: 'concurrency';
      readonly raw: RawConcurrency;
      /** Of the job; its matrix has one combination. */
      readonly payload: string;
      readonly contexts: ExpressionContexts;
    }
  /** The names of the steps of a job. */
  | { readonly kind: 'steps'; readonly payload: string };

/** A result, or what is wrong with the file. */
export type WorkflowResult<T> = { readonly value: T } | { readonly name: string; readonly problem: string };

/** Milliseconds that files may take together; those after that are not read. */
const PATIENCE_MS = 3000;
const NOTHING: ExpressionContexts = { github: {}, vars: {}, inputs: {} };

/** Reads workflow files, expands one into jobs, or reads what it needs of a job. */
export function run(
  request: WorkflowRequest,
): WorkflowResult<WorkflowFile>[] | WorkflowResult<NewRun>[] | WorkflowResult<NewRun> | WorkflowResult<Concurrency> | string[] {
  if (request.kind === 'steps') return stepNamesOf(request.payload);
  if (request.kind === 'expand') return attempt(request.text, (tree) => expand(tree, request.contexts));
  if (request.kind === 'expand-all') return request.workflows.map(({ text, contexts }) => attempt(text, (tree) => expand(tree, contexts)));
  if (request.kind === 'concurrency') return attempt(request.payload, (tree) => concurrencyOf(tree, request.raw, request.contexts));
  const end = performance.now() + PATIENCE_MS;
  return request.texts.map((text) =>
    performance.now() > end ? { name: '', problem: 'the workflow files take too long' } : attempt(text, read),
  );
}

function attempt<T>(text: string, action: (workflow: MappingTree) => T): WorkflowResult<T> {
  let tree: Tree | undefined;
  try {
    tree = parseTree(text);
    if (tree.kind !== 'mapping') throw new WorkflowError('the workflow has to be a mapping');
    return { value: action(tree) };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    const name = tree?.kind === 'mapping' ? tree.entries.get('name') : undefined;
    return { name: name?.kind === 'scalar' ? name.text : '', problem: error.message };
  }
}

function read(workflow: MappingTree): WorkflowFile {
  const on = child(workflow, 'on');
  const triggers = readTriggers(on, workflow);
  readConcurrency(child(workflow, 'concurrency'));
  readJobs(workflow, new Expressions(NOTHING), { runName: '', isCheck: true });
  return { name: textAt(workflow, 'name'), triggers, dispatchInputs: on && readDispatchInputs(on) };
}

function expand(workflow: MappingTree, contexts: ExpressionContexts): NewRun {
  const expressions = new Expressions(contexts);
  const rawConcurrency = readConcurrency(child(workflow, 'concurrency'));
  const runName = expressions.interpolate(textAt(workflow, 'run-name'));
  const concurrency = rawConcurrency && evaluateConcurrency(rawConcurrency, expressions);
  const jobs = readJobs(workflow, expressions, { runName });
  return { name: textAt(workflow, 'name'), runName, rawConcurrency, concurrency, jobs, isFixed: !expressions.dependOnRun };
}

function concurrencyOf(workflow: MappingTree, raw: RawConcurrency, contexts: ExpressionContexts): Concurrency {
  return evaluateConcurrency(raw, new Expressions({ ...contexts, matrix: matrixOf(workflow) }));
}

/** The matrix of the only job of a payload, with the one value of each axis. */
function matrixOf(workflow: MappingTree): object {
  const jobs = child(workflow, 'jobs');
  const [job] = jobs?.kind === 'mapping' ? jobs.entries.values() : [];
  const strategy = job?.kind === 'mapping' ? child(job, 'strategy') : undefined;
  const matrix = strategy?.kind === 'mapping' ? child(strategy, 'matrix') : undefined;
  const axes = matrix?.kind === 'mapping' ? [...matrix.entries] : [];
  const only = (tree: Tree) => (tree.kind === 'list' && tree.items[0]?.kind === 'scalar' ? tree.items[0].value : null);
  return Object.fromEntries(axes.map(([name, tree]) => [name, only(tree)]));
}
