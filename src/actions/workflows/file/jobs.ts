import { stringify } from 'yaml';
import type { ActionPermissions } from '../../../database/tables/actions.ts';
import { child, isNull, mappingAt, textAt, textsOf, writtenValue } from './access.ts';
import { type Concurrency, evaluateConcurrency, type RawConcurrency, readConcurrency } from './concurrency.ts';
import { WorkflowError } from './error.ts';
import { type Expressions, hasExpression } from './evaluate.ts';
import { type Combination, combinationName, readMatrix } from './matrix.ts';
import { readPermissions } from './permissions.ts';
import { type MappingTree, wrong } from './tree.ts';

/** A new job of a run. */
export interface NewJob {
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
  /** It has an `if`. */
  readonly hasCondition: boolean;
  readonly runsOn: readonly string[];
  /** The workflow with this job alone, as YAML. */
  readonly payload: string;
  readonly permissions: ActionPermissions | null;
  readonly rawConcurrency: RawConcurrency | undefined;
  /** Left out for a job with needs, which can only be evaluated after them. */
  readonly concurrency: Concurrency | undefined;
  /** How many jobs of its matrix may run at once; 0 for no limit. */
  readonly maxParallel: number;
  /** The others of its matrix are cancelled when it fails. */
  readonly failFast: boolean;
  /** Its failure does not make the run fail. */
  readonly continueOnError: boolean;
}

/** Jobs of one run. */
const MAX_JOBS = 1000;
const TOO_MANY_JOBS = `the workflow has more than ${MAX_JOBS} jobs`;
/** Steps of one job: each has a row. */
const MAX_STEPS = 1000;
/** Length limit of all payloads of one run in characters. */
const MAX_PAYLOADS = 16 * 1024 * 1024;
const MAX_NAME = 255;

/** The keys of a workflow and of a job that a runner gets, in this order. */
const WORKFLOW_KEYS = ['name', 'on', 'env', 'jobs', 'defaults', 'permissions', 'run-name'];
/** What each job has of the workflow; of its jobs it has itself. */
const SHARED_KEYS = WORKFLOW_KEYS.filter((key) => key !== 'jobs');
const JOB_KEYS =
  'name runs-on env if steps timeout-minutes services strategy container defaults outputs uses with secrets concurrency permissions';
const STEP_KEYS = 'id if name uses run working-directory shell env with continue-on-error timeout-minutes';
const ORDER = { job: JOB_KEYS.split(' '), step: STEP_KEYS.split(' ') };

/** Options of reading jobs. */
export interface RunOptions {
  /** The result of `run-name`. */
  readonly runName: string;
  /** There is no run yet: only what does not depend on one is checked. */
  readonly isCheck?: boolean;
}

/**
 * The jobs of a workflow, one for each combination of a matrix.
 * @throws WorkflowError
 */
export function readJobs(workflow: MappingTree, expressions: Expressions, { runName, isCheck = false }: RunOptions): NewJob[] {
  const jobs = mappingAt(workflow, 'jobs');
  if (!jobs) throw wrong(workflow, 'the workflow has no jobs');
  if (jobs.entries.size > MAX_JOBS) throw new WorkflowError(TOO_MANY_JOBS);
  const found: NewJob[] = [];
  let size = 0;
  for (const [key, job] of jobs.entries) {
    if (job.kind !== 'mapping') throw wrong(job, `the job ${key} has to be a mapping`);
    for (const combination of readMatrix(job, expressions)) {
      const one = readJob({ workflow, key, job, combination, runName, isCheck }, expressions);
      found.push(one);
      size += one.payload.length;
      if (found.length > MAX_JOBS) throw new WorkflowError(TOO_MANY_JOBS);
      if (size > MAX_PAYLOADS) throw new WorkflowError('the jobs of the workflow are too large together');
    }
  }
  return found;
}

interface JobSource {
  readonly workflow: MappingTree;
  readonly key: string;
  readonly job: MappingTree;
  readonly combination: Combination;
  readonly runName: string;
  readonly isCheck: boolean;
}

function readJob(source: JobSource, all: Expressions): NewJob {
  const { workflow, key, job, combination, isCheck } = source;
  const { failFast, maxParallel } = readStrategy(job, all);
  const expressions = all.with({ matrix: combination, strategy: { 'fail-fast': failFast, 'max-parallel': maxParallel || 4 } });
  const name = nameOf(textAt(job, 'name') || key, combination, expressions);
  const needs = textsOf(child(job, 'needs'), 'needs');
  const runsOn = labelsOf(job).map((label) => expressions.interpolate(label));
  const rawConcurrency = readConcurrency(child(job, 'concurrency'));
  return {
    key,
    name: name.slice(0, MAX_NAME),
    needs,
    hasCondition: child(job, 'if') !== undefined,
    runsOn,
    payload: payloadOf(source, name, runsOn),
    permissions: readPermissions(child(job, 'permissions')) ?? readPermissions(child(workflow, 'permissions')),
    rawConcurrency,
    concurrency: rawConcurrency && needs.length === 0 && !isCheck ? evaluateConcurrency(rawConcurrency, expressions) : undefined,
    maxParallel,
    failFast: failFast && Object.keys(combination).length > 0,
    continueOnError: expressions.interpolate(textAt(job, 'continue-on-error')) === 'true',
  };
}

/** How the jobs of a matrix depend on each other. */
function readStrategy(job: MappingTree, expressions: Expressions): { failFast: boolean; maxParallel: number } {
  const strategy = child(job, 'strategy');
  const text = (key: string) => (strategy?.kind === 'mapping' ? expressions.interpolate(textAt(strategy, key)) : '');
  const limit = Math.floor(Number(text('max-parallel')));
  return { failFast: text('fail-fast') !== 'false', maxParallel: limit >= 1 ? Math.min(limit, MAX_JOBS) : 0 };
}

function nameOf(name: string, combination: Combination, expressions: Expressions): string {
  if (Object.keys(combination).length === 0) return name;
  return hasExpression(name) ? expressions.interpolate(name) : `${name} ${combinationName(combination)}`;
}

/** A label, labels, or a mapping of labels and a group, which is a label here. */
function labelsOf(job: MappingTree): string[] {
  const tree = child(job, 'runs-on');
  if (tree?.kind !== 'mapping') return textsOf(tree, 'runs-on');
  const group = textAt(tree, 'group');
  return [...textsOf(child(tree, 'labels'), 'labels'), ...(group === '' ? [] : [group])];
}

/** The workflow with one job, whose matrix is the combination. It has no needs, which only the server handles. */
function payloadOf({ workflow, key, job, combination, runName }: JobSource, name: string, runsOn: readonly string[]): string {
  const own: Record<string, unknown> = { ...chosen(job, ORDER.job), name, 'runs-on': runsOn.length === 1 ? runsOn[0] : runsOn };
  if (runsOn.length === 0) delete own['runs-on'];
  const strategy = child(job, 'strategy');
  if (strategy) own.strategy = { ...strategyOf(strategy), ...(Object.keys(combination).length > 0 && { matrix: listed(combination) }) };
  if (own.strategy && Object.keys(own.strategy).length === 0) delete own.strategy;
  if ('steps' in own) own.steps = stepsOf(job);
  const written: Record<string, unknown> = { ...chosen(workflow, SHARED_KEYS), jobs: { [key]: sorted(own, ORDER.job) } };
  if (runName) written['run-name'] = runName;
  else delete written['run-name'];
  return stringify(sorted(written, WORKFLOW_KEYS), { aliasDuplicateObjects: false, lineWidth: 0 });
}

function strategyOf(strategy: NonNullable<ReturnType<typeof child>>): object {
  if (strategy.kind !== 'mapping') return {};
  return chosen(strategy, ['fail-fast', 'max-parallel']);
}

function listed(combination: Combination): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.keys(combination)
      .sort()
      .map((axis) => [axis, [combination[axis]]]),
  );
}

function stepsOf(job: MappingTree): unknown[] {
  const steps = child(job, 'steps');
  if (!steps) return [];
  if (steps.kind !== 'list') throw wrong(steps, 'steps has to be a list');
  if (steps.items.length > MAX_STEPS) throw wrong(steps, `a job has at most ${MAX_STEPS} steps`);
  return steps.items.flatMap((step) => {
    if (isNull(step)) return [];
    if (step.kind !== 'mapping') throw wrong(step, 'a step has to be a mapping');
    return [chosen(step, ORDER.step)];
  });
}

/** What is under these keys, in their order. */
function chosen(tree: MappingTree, keys: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const value = child(tree, key);
    if (value) found[key] = writtenValue(value);
  }
  return found;
}

function sorted(values: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in values).map((key) => [key, values[key]]));
}
