import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trimEnd } from '../../text/trim-end.ts';
import { prepareActions } from '../actions/prepare.ts';
import { ActionSource } from '../actions/source.ts';
import { cacheGrantOf } from '../cache/grant.ts';
import { containerExecutor } from '../containers/executor.ts';
import { placeOf } from '../labels.ts';
import { listAt, plainAt, scalarText, textAt } from '../plain.ts';
import { messageOf, RunnerProblem } from '../problem.ts';
import { expressionsOf } from '../steps/contexts.ts';
import { eventFile, trackingId } from '../steps/environment.ts';
import { minutesOf, runSteps } from '../steps/run-steps.ts';
import { type Executor, hostExecutor } from './executor.ts';
import { type JobFolders, makeJobFolders, removeJobFolders } from './folders.ts';
import type { Job, StepScope } from './job.ts';
import { killTracked } from './leftovers.ts';
import { matrixOf } from './matrix.ts';
import type { JobEnd, JobRequest, Task } from './task.ts';

/** Minutes that a job may take which says nothing else. */
const DEFAULT_MINUTES = 360;

/** Runs the steps of a job, with everything before and after them. */
export async function runJob(task: Task, request: JobRequest): Promise<JobEnd> {
  const { folder } = task.options;
  const id = `${task.id}-${task.jobs++}`;
  const folders = await makeJobFolders(join(folder, 'jobs'), id, textAt(request.github, 'repository'));
  let executor: Executor | undefined;
  let job: Job | undefined;
  let caches: ReturnType<typeof admitToCaches>;
  try {
    executor = await makeExecutor(task, request, folders);
    caches = admitToCaches(task, request, executor);
    job = { ...makeJob(task, request, folders, executor), cacheUrl: caches?.url };
    return await runAll(task, request, job);
  } catch (error) {
    if (!(error instanceof RunnerProblem)) throw error;
    task.reporter.log.add(`::error::${error.message}`);
    return { result: task.control.reason === 'cancelled' ? 'cancelled' : 'failure', outputs: {} };
  } finally {
    if (job) await killTracked(trackingId(job));
    await executor?.close();
    await caches?.end();
    await removeJobFolders(folders);
  }
}

async function makeExecutor({ options, control }: Task, { definition }: JobRequest, folders: JobFolders): Promise<Executor> {
  const place = placeOf(options.labels, listAt(definition, 'runs-on').map(scalarText));
  if (place.kind === 'host') return hostExecutor(definition);
  if (!options.engine) throw new RunnerProblem('this job needs containers, and this runner has neither podman nor docker');
  return await containerExecutor({ engine: options.engine, image: place.image, definition, folders, signal: () => control.signal() });
}

function makeJob(task: Task, request: JobRequest, folders: JobFolders, executor: Executor): Omit<Job, 'cacheUrl'> {
  const { options, reporter, control } = task;
  const { workflow, key, definition, github, secrets, vars, needs, inputs } = request;
  const job = { taskId: task.id, key, definition, workflowDefaults: plainAt(workflow, 'defaults'), github, secrets, vars, needs, inputs };
  return {
    ...job,
    ...matrixOf(definition),
    runner: options,
    folders,
    env: new Map(),
    path: [],
    log: reporter.log,
    control,
    executor,
    actions: sourceOf(task, request, folders),
    posts: [],
    preStates: new Map(),
  };
}

/** Caches are there for jobs on the host: containers do not reach them. */
function admitToCaches({ options }: Task, { github }: JobRequest, executor: Executor) {
  if (executor.facts.container !== undefined) return undefined;
  return options.caches?.admit(cacheGrantOf(github));
}

/** Where the actions and workflows of a job come from. */
export function sourceOf({ options, reporter, control }: Task, { github }: Pick<JobRequest, 'github'>, folders: JobFolders): ActionSource {
  const url = (key: string) => trimEnd(textAt(github, key), '/');
  return new ActionSource({
    cache: join(options.folder, 'actions'),
    folder: folders.actions,
    home: folders.home,
    defaultUrl: url('gitea_default_actions_url') || url('server_url'),
    serverUrl: url('server_url'),
    instanceUrl: options.instanceUrl,
    repository: textAt(github, 'repository'),
    token: textAt(github, 'token'),
    warn: (line) => reporter.log.add(line),
    signal: () => control.signal(),
  });
}

async function runAll({ reporter, control }: Task, { workflow, definition, isReported }: JobRequest, job: Job): Promise<JobEnd> {
  const scope: StepScope = { inputs: job.inputs, steps: {}, env: {}, action: undefined, limit: undefined, depth: 0, hasFailed: false };
  await writeFile(eventFile(job), JSON.stringify(job.github.event ?? {}));
  for (const env of [workflow.env, definition.env])
    for (const [name, value] of Object.entries(await expressionsOf(job, scope).texts(env))) job.env.set(name, value);
  const minutes = await minutesOf(expressionsOf(job, scope).value(definition['timeout-minutes'] ?? DEFAULT_MINUTES), 'timeout-minutes');
  const release = control.limit(minutes ?? DEFAULT_MINUTES * 60_000);
  try {
    const steps = listAt(definition, 'steps');
    await prepareActions(job, scope, steps);
    await runSteps(
      job,
      scope,
      steps,
      isReported ? { start: (at) => reporter.steps.start(at), end: (at, result) => reporter.steps.end(at, result) } : undefined,
    );
    await runPosts(job, scope);
    if (control.reason === 'timeout') job.log.add('::error::The job has run for too long');
    if (control.reason === 'shutdown') job.log.add('::error::The runner was stopped');
    const failed = scope.hasFailed || control.reason === 'timeout' || control.reason === 'shutdown';
    const result = control.reason === 'cancelled' ? 'cancelled' : failed ? 'failure' : 'success';
    return { result, outputs: await outputsOf(job, scope) };
  } finally {
    release();
  }
}

async function runPosts(job: Job, scope: StepScope): Promise<void> {
  for (let post = job.posts.pop(); post && !job.control.hard.aborted; post = job.posts.pop()) {
    job.log.add(post.name);
    try {
      await post.run();
    } catch (error) {
      if (!(error instanceof RunnerProblem)) throw error;
      job.log.add(`::error::${post.name}: ${messageOf(error)}`);
      scope.hasFailed = true;
    }
  }
}

/** The outputs of a job. One that has a secret in it stays here: those that need it would show it. */
async function outputsOf(job: Job, scope: StepScope): Promise<Record<string, string>> {
  const outputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(plainAt(job.definition, 'outputs'))) {
    const text = await expressionsOf(job, scope).text(value);
    if (job.log.hasSecret(text)) job.log.add(`::warning::The output ${name} is left out: it may contain a secret`);
    else outputs[name] = text;
  }
  return outputs;
}
