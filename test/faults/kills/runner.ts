import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../support/client.ts';
import type { KilledServer } from './server.ts';

/** Milliseconds between two attempts to reach a server. */
const RETRY = 200;
const TIMES = { startedAt: '2024-01-02T03:04:05Z', stoppedAt: '2024-01-02T03:05:05Z' };

/** A runner that takes jobs, from whichever server answers, until it is stopped. */
export class LoopingRunner {
  /** The jobs whose success a server has acknowledged, by run and name. */
  readonly ran: string[] = [];
  readonly #clients: readonly Client[];
  readonly #headers: Record<string, string>;
  #isStopped = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(clients: readonly Client[], { uuid, token }: { uuid: string; token: string }) {
    this.#clients = clients;
    this.#headers = { 'x-runner-uuid': uuid, 'x-runner-token': token, 'connect-timeout-ms': '3000' };
  }

  /** Registers a runner of the instance. */
  static async register(servers: readonly KilledServer[], token: string, number: number): Promise<LoopingRunner> {
    const clients = servers.map((server) => server.anonymous);
    const message = { name: `runner ${number}`, token, labels: ['linux'] };
    const registered = await servers[0]?.anonymous.must('POST', '//api/actions/runner.v1.RunnerService/Register', message);
    return new LoopingRunner(clients, registered.runner);
  }

  /** Begins to take jobs. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves once it takes no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop;
  }

  async #run(): Promise<void> {
    let version = '0';
    while (!this.#isStopped) {
      const response = await this.#try('FetchTask', { tasksVersion: version });
      if (!response) continue;
      const { task, tasksVersion } = response;
      version = task ? '0' : tasksVersion;
      if (task) await this.#work(task);
    }
  }

  async #work(task: { id: string; context: { run_id: string }; workflowPayload: string }): Promise<void> {
    await this.#until('UpdateTask', { state: { id: task.id, startedAt: TIMES.startedAt } });
    await sleep(20);
    const { state } = await this.#until('UpdateTask', { state: { id: task.id, result: 'RESULT_SUCCESS', ...TIMES } });
    const name = /name: (.*)/.exec(Buffer.from(task.workflowPayload, 'base64').toString('utf8'))?.[1];
    if (state.result === 'RESULT_SUCCESS') this.ran.push(`${task.context.run_id} ${name}`);
  }

  /** Calls a procedure until a server answers. */
  // biome-ignore lint/suspicious/noExplicitAny: what came, whatever its shape
  async #until(method: string, message: object): Promise<any> {
    for (;;) {
      const response = await this.#try(method, message);
      if (response) return response;
    }
  }

  /** Calls a procedure of any server; undefined when that fails. */
  // biome-ignore lint/suspicious/noExplicitAny: what came, whatever its shape
  async #try(method: string, json: object): Promise<any> {
    const client = this.#clients[Math.floor(Math.random() * this.#clients.length)];
    try {
      const response = await client?.send('POST', `//api/actions/runner.v1.RunnerService/${method}`, { json, headers: this.#headers });
      if (response?.status === 200) return response.json;
    } catch {
      // It is being killed.
    }
    await sleep(RETRY);
    return undefined;
  }
}
