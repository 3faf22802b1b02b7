import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../src/cli/run.ts';
import { readRegistration } from '../../src/runner/registration.ts';
import { startRunner } from '../../src/runner/start.ts';
import { afterwards } from '../support/afterwards.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { TestServer } from '../support/server.ts';
import { write } from './files.ts';

/** A job that is over, or as far as it is. */
export interface SeenJob {
  readonly id: number;
  readonly state: string;
  readonly log: string;
  /** As `name: state`. */
  readonly steps: readonly string[];
}

/** Runs the command line; returns what it printed, and its exit code. */
export async function commandLine(...args: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  const code = await runCommand(args, { environment: {}, secret: async () => '', out: print, error: print });
  return { code, output };
}

/** How a runner of a test is started. */
interface TestRunnerOptions {
  readonly name: string;
  /** How it reaches the server, if not directly. */
  readonly url?: string;
  /** Options of `copse runner register`. */
  readonly args?: readonly string[];
}

/** Starts a runner of all repositories of the instance, in this process; returns what stops it. */
export async function startTestRunner(t: TestServer, options: TestRunnerOptions) {
  const { name, url = t.url, args = [] } = options;
  const folder = join(t.folder, name);
  const { token } = await t.admin.must('POST', '/admin/actions/runners/registration-token');
  const own = ['--url', url, '--token', token, '--name', name, '--dir', folder];
  const { code, output } = await commandLine('runner', 'register', ...own, ...args);
  const registration = await readRegistration(folder);
  if (code !== 0 || !registration) throw new Error(output);
  const stop = new AbortController();
  const lines: string[] = [];
  const common = { folder, registration, capacity: 4, engine: 'none', variables: [], mayBeRoot: true, shutdownTimeout: 0 };
  const print = (line: string) => void lines.push(line);
  const ended = startRunner({ ...common, pollInterval: 50, reportInterval: 100, print }, stop.signal);
  const end = async () => {
    stop.abort();
    await ended;
  };
  afterwards(end);
  return { folder, lines, ended, stop: end };
}

/** A repository whose workflows are run. */
export class WorkflowRepository {
  readonly #t: TestServer;
  readonly client: Client;
  readonly path: string;
  #number = 0;

  private constructor(t: TestServer, client: Client, path: string) {
    this.#t = t;
    this.client = client;
    this.path = path;
  }

  static async make(t: TestServer, client: Client, owner: string, name: string): Promise<WorkflowRepository> {
    await client.must('POST', '/user/repos', { name, private: true, auto_init: true, default_branch: 'main' });
    return new WorkflowRepository(t, client, `/repos/${owner}/${name}`);
  }

  /** Starts a workflow of jobs, written without `on`, with further files beside it; returns the id of the run. */
  async start(jobs: string, options: { files?: Record<string, string>; on?: string; inputs?: object } = {}): Promise<number> {
    const file = `w${++this.#number}.yml`;
    const { files = {}, on = 'on: workflow_dispatch', inputs = {} } = options;
    await write(this.client, this.path, { [`.gitea/workflows/${file}`]: `${on}\n${jobs}`, ...files });
    const route = `${this.path}/actions/workflows/${file}/dispatches?return_run_details=true`;
    return (await this.client.must('POST', route, { ref: 'main', inputs })).workflow_run_id;
  }

  /** Waits for the end of a run; returns its jobs by their names. */
  async end(run: number): Promise<Record<string, SeenJob>> {
    const isCompleted = ({ status }: { status: string }) => status === 'completed';
    await this.until(async () => {
      const path = `${this.path}/actions/runs/${run}`;
      // A run of which a job failed is completed while others still wait for what they need.
      return isCompleted(await this.client.must('GET', path)) && (await this.client.must('GET', `${path}/jobs`)).jobs.every(isCompleted);
    }, run);
    return await this.jobs(run);
  }

  /** Waits for a line of the log of a job. */
  async line(run: number, job: string, pattern: RegExp): Promise<void> {
    await this.until(async () => pattern.test((await this.jobs(run))[job]?.log ?? ''), run);
  }

  /** Asks less often than `eventually` does: many runs are waited for at once. */
  async until(isSo: () => Promise<boolean>, run: number): Promise<void> {
    await eventually(async () => (await isSo()) || (await sleep(100, false)), `what run ${run} was to come to`);
  }

  /** The jobs of a run, by their names. */
  async jobs(run: number): Promise<Record<string, SeenJob>> {
    const { jobs } = await this.client.must('GET', `${this.path}/actions/runs/${run}/jobs`);
    const seen: Record<string, SeenJob> = {};
    for (const { id, name, conclusion, status } of jobs) {
      const { text, status: code } = await this.client.get(`${this.path}/actions/jobs/${id}/logs`);
      const log = code === 200 ? text.replaceAll(/^\S+Z /gm, '') : '';
      seen[name] = { id, state: conclusion ?? status, log, steps: await this.#steps(id) };
    }
    return seen;
  }

  /** Runs a workflow to its end. */
  async run(jobs: string, options: Parameters<WorkflowRepository['start']>[1] = {}): Promise<Record<string, SeenJob>> {
    return await this.end(await this.start(jobs, options));
  }

  async #steps(jobId: number): Promise<string[]> {
    const rows = await this.#t.context.db
      .selectFrom('action_task_steps')
      .innerJoin('action_jobs', 'action_jobs.task_id', 'action_task_steps.task_id')
      .select(['action_task_steps.name', 'action_task_steps.status'])
      .where('action_jobs.id', '=', jobId)
      .orderBy('action_task_steps.number')
      .execute();
    return rows.map(({ name, status }) => `${name}: ${status}`);
  }
}
