import { join } from 'node:path';
import { WorkflowError } from '../../actions/workflows/file/error.ts';
import { Expressions as FileExpressions } from '../../actions/workflows/file/evaluate.ts';
import { type NewJob, readJobs } from '../../actions/workflows/file/jobs.ts';
import { parseTree } from '../../actions/workflows/file/tree.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { parseYaml, readFileWithin } from '../actions/action-file.ts';
import { Expressions } from '../expressions.ts';
import { isPlain, type Plain, plainAt, scalarText, textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { makeJobFolders, removeJobFolders } from './folders.ts';
import { sourceOf } from './run-job.ts';
import type { JobEnd, JobRequest, Task } from './task.ts';

type StartJob = (request: JobRequest) => Promise<JobEnd>;

/** Workflows that call each other; GitHub has the same bound. */
const MAX_DEPTH = 4;
const MAX_JOBS = 256;

/**
 * Runs the jobs of the workflow that a job calls, one after the other, within its task.
 * @throws RunnerProblem
 */
export async function runCalledWorkflow(task: Task, caller: JobRequest, expressions: Expressions, start: StartJob): Promise<JobEnd> {
  if (caller.depth >= MAX_DEPTH) throw new RunnerProblem(`workflows call each other more than ${MAX_DEPTH} deep`);
  const uses = textAt(caller.definition, 'uses');
  const text = await readWorkflow(task, caller, uses);
  const workflow = parseYaml(text, uses);
  const call = plainAt(workflow.on, 'workflow_call');
  const inputs = await inputsOf(call, await expressions.deep(caller.definition.with), expressions);
  const secrets = await secretsOf(caller, expressions);
  const jobs = new CalledJobs(text, { ...caller, inputs, secrets, depth: caller.depth + 1, isReported: false });
  const ended = await jobs.run(task, start);
  const results = Object.values(ended).map(({ result }) => result);
  const result =
    task.control.reason === 'cancelled' ? 'cancelled' : results.includes('failure') || task.control.reason ? 'failure' : 'success';
  return { result, outputs: await outputsOf(call, ended, caller, inputs) };
}

/** The text of a workflow: of the commit that the job runs for, or of a repository. */
async function readWorkflow(task: Task, caller: JobRequest, uses: string): Promise<string> {
  const text = (key: string) => textAt(caller.github, key);
  const own = `${trimEnd(text('server_url'), '/')}/${text('repository')}`;
  const full = uses.startsWith('./') ? `${own}/${uses.slice(2)}@${text('sha')}` : uses;
  const folders = await makeJobFolders(join(task.options.folder, 'jobs'), `${task.id}-called-${task.jobs++}`, text('repository'));
  try {
    const { folder, path } = await sourceOf(task, caller, folders).get(full);
    const found = await readFileWithin(join(folder, path), folder);
    if (found === undefined) throw new RunnerProblem(`uses: there is no file ${path}`);
    return found;
  } finally {
    await removeJobFolders(folders);
  }
}

async function inputsOf(call: Plain, given: unknown, expressions: Expressions): Promise<Plain> {
  const values = isPlain(given) ? given : {};
  const declared = plainAt(call, 'inputs');
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) throw new RunnerProblem(`with: the workflow has no input ${unknown}`);
  const inputs: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) {
    const input = plainAt(declared, name);
    const value = values[name] ?? (await expressions.value(input.default));
    if ((value === undefined || value === null) && scalarText(input.required) === 'true')
      throw new RunnerProblem(`with: the input ${name} is missing`);
    inputs[name] = typed(value, textAt(input, 'type'));
  }
  return inputs;
}

function typed(value: unknown, type: string): unknown {
  if (type === 'boolean') return scalarText(value) === 'true';
  if (type === 'number') return Number(scalarText(value) || '0');
  return scalarText(value);
}

async function secretsOf({ definition, secrets }: JobRequest, expressions: Expressions): Promise<Record<string, string>> {
  if (definition.secrets === 'inherit') return secrets;
  const tokens = Object.entries(secrets).filter(([name]) => name === 'GITHUB_TOKEN' || name === 'GITEA_TOKEN');
  return { ...Object.fromEntries(tokens), ...(await expressions.texts(definition.secrets)) };
}

async function outputsOf(
  call: Plain,
  jobs: Record<string, JobEnd>,
  { github, vars }: JobRequest,
  inputs: Plain,
): Promise<Record<string, string>> {
  const contexts = () => ({ github, gitea: github, vars, inputs, jobs });
  const expressions = new Expressions({ contexts, status: () => 'success', hashFiles: async () => '' });
  const outputs: Record<string, string> = {};
  const declared = plainAt(call, 'outputs');
  for (const name of Object.keys(declared)) outputs[name] = await expressions.text(plainAt(declared, name).value ?? '');
  return outputs;
}

/** The jobs of a workflow that was called. */
class CalledJobs {
  readonly #text: string;
  readonly #common: JobRequest;

  constructor(text: string, common: JobRequest) {
    this.#text = text;
    this.#common = common;
  }

  /**
   * Runs them in the order of their needs; returns how they ended, by their keys.
   * @throws RunnerProblem
   */
  async run(task: Task, start: StartJob): Promise<Record<string, JobEnd>> {
    const ended: Record<string, JobEnd> = {};
    for (;;) {
      const jobs = this.#expand(ended);
      if (jobs.length > MAX_JOBS) throw new RunnerProblem(`a workflow that is called has at most ${MAX_JOBS} jobs`);
      const open = jobs.filter(({ key }) => !Object.hasOwn(ended, key));
      if (open.length === 0) return ended;
      const next = open.find(({ needs }) => needs.every((key) => Object.hasOwn(ended, key)));
      if (!next) throw new RunnerProblem(`the job ${open[0]?.key} needs a job that is not there, or that needs it`);
      const ends: JobEnd[] = [];
      for (const job of open.filter(({ key }) => key === next.key)) {
        task.reporter.log.add(`Job ${job.name}`);
        ends.push(await start(this.#request(job, ended)));
      }
      ended[next.key] = together(ends);
    }
  }

  /** Their matrices may refer to the outputs of earlier jobs. */
  #expand(needs: Record<string, JobEnd>): NewJob[] {
    const { github, vars, inputs } = this.#common;
    try {
      const tree = parseTree(this.#text);
      if (tree.kind !== 'mapping') throw new WorkflowError('the workflow has to be a mapping');
      return readJobs(tree, new FileExpressions({ github, vars, inputs, needs }), { runName: '' });
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      throw new RunnerProblem(`the workflow that is called: ${error.message}`);
    }
  }

  #request({ key, needs, payload }: NewJob, ended: Record<string, JobEnd>): JobRequest {
    const workflow = parseYaml(payload, 'the workflow that is called');
    const needed = Object.fromEntries(needs.map((need) => [need, ended[need]]));
    return { ...this.#common, workflow, key, definition: plainAt(plainAt(workflow, 'jobs'), key), needs: needed };
  }
}

/** The jobs of a matrix as one. */
function together(ends: readonly JobEnd[]): JobEnd {
  const results = ends.map(({ result }) => result);
  const worst = (['failure', 'cancelled', 'success'] as const).find((result) => results.includes(result)) ?? 'skipped';
  return { result: worst, outputs: Object.assign({}, ...ends.map(({ outputs }) => outputs)) };
}
