import assert from 'node:assert/strict';
import { findRepository } from '../../src/access/find-repository.ts';
import { findUserById } from '../../src/access/find-user.ts';
import { insertRun } from '../../src/actions/jobs/create-run.ts';
import { prepareRun } from '../../src/actions/jobs/prepare-run.ts';
import type { ActionRun } from '../../src/database/tables/actions.ts';
import type { Client, TestResponse } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** A runner that does what a test says. */
export class SimulatedRunner {
  readonly #t: TestServer;
  readonly uuid: string;
  readonly token: string;
  readonly id: number;

  constructor(t: TestServer, { uuid, token, id }: { uuid: string; token: string; id: string | number }) {
    this.#t = t;
    this.uuid = uuid;
    this.token = token;
    this.id = Number(id);
  }

  /** Registers a runner at a place, such as `/repos/o/r` or `/admin`. */
  static async at(t: TestServer, client: Client, place: string, more: object = {}): Promise<SimulatedRunner> {
    const { token } = await client.must('POST', `${place}/actions/runners/registration-token`);
    const path = '//api/actions/runner.v1.RunnerService/Register';
    const { runner } = await t.anonymous.must('POST', path, { name: 'runner', token, labels: ['linux'], ...more });
    return new SimulatedRunner(t, runner);
  }

  /** Calls a procedure, with messages as JSON. */
  call(method: string, message: object = {}, timeoutMs?: number): Promise<TestResponse> {
    // Real ones send the time that is left to their job, and wait for jobs for some seconds.
    const timeout = timeoutMs ?? (method === 'FetchTask' ? 1000 : 10_800_000);
    const headers = { 'x-runner-uuid': this.uuid, 'x-runner-token': this.token, 'connect-timeout-ms': String(timeout) };
    return this.#t.anonymous.send('POST', `//api/actions/runner.v1.RunnerService/${method}`, { json: message, headers });
  }

  /** Takes a task, if there is one for it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
  async fetch(version = 0): Promise<any> {
    const { status, json, text } = await this.call('FetchTask', { tasksVersion: String(version) });
    assert.equal(status, 200, text);
    return json.task;
  }

  /** Sends lines of a log; returns the number of lines that the server has. */
  async log(taskId: string, index: number, lines: readonly string[], noMore = false): Promise<number> {
    const rows = lines.map((content) => ({ time: '2024-01-02T03:04:05.123456789Z', content }));
    const { status, json, text } = await this.call('UpdateLog', { taskId, index: String(index), rows, noMore });
    assert.equal(status, 200, text);
    return Number(json.ackIndex ?? 0);
  }

  /** Reports on a task. */
  async report(taskId: string, state: object = {}, outputs: object = {}) {
    const { status, json, text } = await this.call('UpdateTask', { state: { id: taskId, ...state }, outputs });
    assert.equal(status, 200, text);
    return json;
  }

  /** Ends a task. */
  finish(taskId: string, result = 'RESULT_SUCCESS', outputs: object = {}) {
    const times = { startedAt: '2024-01-02T03:04:05Z', stoppedAt: '2024-01-02T03:05:05Z' };
    return this.report(taskId, { result, ...times }, outputs);
  }
}

/** What of a run a test decides. */
type RunParts = Partial<Pick<ActionRun, 'event' | 'trigger_event' | 'event_payload' | 'ref' | 'commit_sha' | 'is_fork_pull_request'>>;

/** Starts a run of a workflow in a repository without a push. */
export async function startRun(t: TestServer, repositoryId: number, content: string, parts: RunParts = {}): Promise<ActionRun> {
  const repository = await findRepository(t.context.db, repositoryId);
  const actor = repository && (await findUserById(t.context.db, repository.owner_id));
  assert.ok(repository && actor);
  const prepared = await prepareRun(t.context, {
    repository,
    actor,
    content,
    workflowId: 'ci.yml',
    title: 'A run',
    ref: parts.ref ?? 'refs/heads/main',
    commitSha: parts.commit_sha ?? 'a'.repeat(40),
    event: parts.event ?? 'push',
    triggerEvent: parts.trigger_event ?? 'push',
    payload: parts.event_payload ?? JSON.stringify({ ref: 'refs/heads/main' }),
    isForkPullRequest: parts.is_fork_pull_request ?? false,
    needsApproval: false,
    scheduleId: null,
  });
  return await insertRun(t.context, prepared);
}

/** A workflow with jobs of these names, each of which runs on `linux` and has two steps. */
export function workflow(names: readonly string[], more = ''): string {
  const jobs = names.map(
    (name) =>
      `  ${name}:\n    runs-on: linux\n    steps:\n      - run: echo ${name}\n      - name: Last\n        run: |\n          echo 2\n`,
  );
  return `on: push\njobs:\n${jobs.join('')}${more}`;
}
