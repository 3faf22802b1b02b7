import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CacheServer } from './cache/server.ts';
import { CallError, RunnerClient } from './client.ts';
import { removeFolder } from './job/folders.ts';
import { killTracked } from './job/leftovers.ts';
import { type RunningTask, runTask } from './job/run-task.ts';
import type { RunnerOptions } from './job/task.ts';
import { messageOf } from './problem.ts';
import { forgetRegistration, makePrivate, namesOf, type Registration, RUNNER_VERSION } from './registration.ts';

/** How a runner works. */
export interface DaemonOptions extends Omit<RunnerOptions, 'caches'> {
  readonly registration: Registration;
  /** Jobs at once. */
  readonly capacity: number;
  /** Milliseconds between questions for a job. */
  readonly pollInterval: number;
  /** Milliseconds that jobs get to finish once the runner is stopped; they are reported as failed then. */
  readonly shutdownTimeout: number;
  /** Tells the operator something. */
  readonly print: (line: string) => void;
}

const MAX_PAUSE_MS = 60_000;
/** Milliseconds for the last reports of a runner that is stopped. */
const REPORT_MS = 20_000;

/**
 * Takes jobs and runs them, until it is stopped, or an ephemeral runner has had its job.
 * @throws CallError when the server does not know this runner
 */
export async function runDaemon(options: DaemonOptions, stop: AbortSignal): Promise<void> {
  const { registration, labels, folder, tracking, print } = options;
  await killTracked(`${tracking}-`);
  await removeLeftovers(folder);
  await makePrivate(options.toolCache);
  const client = new RunnerClient(registration.url, registration);
  await patiently(options, stop, () => client.declare({ version: RUNNER_VERSION, labels: namesOf(labels) }));
  if (stop.aborted) return;
  print(`runner ${registration.name} waits for jobs of ${registration.url} with the labels ${namesOf(labels).join(', ')}`);
  const running = new Set<RunningTask>();
  const giveUp = new AbortController();
  const caches = labels.some(({ place }) => place.kind === 'host') ? await CacheServer.start(join(folder, 'cache')) : undefined;
  try {
    const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
    await takeTasks({ options: { ...options, caches }, client, running, giveUp: giveUp.signal, stopped }, stop);
  } finally {
    await finish(options, running, giveUp, stop);
    await caches?.close();
  }
}

interface Taking {
  readonly options: DaemonOptions & RunnerOptions;
  readonly client: RunnerClient;
  readonly running: Set<RunningTask>;
  readonly giveUp: AbortSignal;
  /** Resolves when the runner is stopped. */
  readonly stopped: Promise<void>;
}

async function takeTasks(taking: Taking, stop: AbortSignal): Promise<void> {
  const { options, client, running, stopped } = taking;
  const { registration, capacity, print } = options;
  let version = 0n;
  while (!stop.aborted) {
    if (running.size >= capacity) {
      await Promise.race([...[...running].map(({ ended }) => ended), stopped]);
      continue;
    }
    const response = await patiently(options, stop, () => client.fetchTask({ tasksVersion: version }, stop));
    if (!response) return;
    const { task, tasksVersion } = response;
    if (!task) {
      version = tasksVersion;
      await sleep(options.pollInterval, undefined, { signal: stop }).catch(() => {});
      continue;
    }
    // There may be more where this one was.
    version = 0n;
    const started = start(task, taking);
    print(`task ${task.id} begins`);
    if (registration.isEphemeral) {
      await Promise.race([started, stopped]);
      await forgetRegistration(options.folder);
      return;
    }
  }
}

function start(task: Parameters<typeof runTask>[0], { options, client, running, giveUp }: Taking): Promise<void> {
  const { print } = options;
  const one = runTask(task, client, options, giveUp);
  running.add(one);
  const end = (line: string) => {
    running.delete(one);
    print(line);
  };
  return one.ended.then(
    () => end(`task ${task.id} has ended`),
    (error: unknown) => end(`task ${task.id}: ${messageOf(error)}`),
  );
}

/** Lets jobs finish for as long as they may, then ends them as failed, and reports that. */
async function finish({ shutdownTimeout, print }: DaemonOptions, running: Set<RunningTask>, giveUp: AbortController, stop: AbortSignal) {
  const ended = Promise.allSettled([...running].map(({ ended }) => ended));
  if (running.size > 0 && stop.aborted) print(`${running.size} jobs get ${Math.round(shutdownTimeout / 1000)} seconds to finish`);
  const isOver = await Promise.race([ended.then(() => true), sleep(shutdownTimeout, false, { ref: false })]);
  if (isOver) return;
  for (const task of running) task.stop();
  const patience = setTimeout(() => giveUp.abort(), REPORT_MS);
  await ended;
  clearTimeout(patience);
}

/**
 * Calls the server until it responds; undefined once the runner is stopped.
 * @throws CallError that says no for good
 */
async function patiently<T>({ pollInterval, print }: DaemonOptions, stop: AbortSignal, call: () => Promise<T>): Promise<T | undefined> {
  for (let pause = pollInterval; !stop.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (stop.aborted) return undefined;
      if (!(error instanceof CallError) || !error.isTemporary) throw error;
      print(`${error.message}; trying again`);
    }
    await sleep(pause, undefined, { signal: stop }).catch(() => {});
  }
  return undefined;
}

/** The leftovers of jobs whose runner was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  const jobs = join(folder, 'jobs');
  await makePrivate(jobs);
  for (const entry of await readdir(jobs)) await removeFolder(join(jobs, entry));
}
