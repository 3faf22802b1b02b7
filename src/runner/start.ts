import { createHash } from 'node:crypto';
import { chownSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FolderInUseError, lockFolder } from '../database/folder-lock.ts';
import { trimEnd } from '../text/trim-end.ts';
import { findEngine } from './containers/engine.ts';
import { runDaemon } from './daemon.ts';
import { parseLabels } from './labels.ts';
import { RunnerProblem } from './problem.ts';
import { makePrivate, type Registration } from './registration.ts';

/** The options of a runner. */
export interface StartOptions {
  readonly folder: string;
  readonly registration: Registration;
  readonly capacity: number;
  /** `auto`, `none`, or the program that runs containers. */
  readonly engine: string;
  /** Names of variables of the runner that steps get. */
  readonly variables: readonly string[];
  /** Steps may run on the host as root. */
  readonly mayBeRoot: boolean;
  /** Milliseconds that jobs get to finish once the runner is stopped. */
  readonly shutdownTimeout: number;
  /** Milliseconds between questions for a job. */
  readonly pollInterval?: number;
  /** Milliseconds between reports on a job. */
  readonly reportInterval?: number;
  readonly print: (line: string) => void;
}

const POLL_MS = 2000;
const REPORT_MS = 1000;

/** The warning for everybody who runs jobs on the host. */
export const HOST_WARNING =
  'Jobs run on this machine itself, as this user: everybody who may push workflows to the repositories of this runner can do here what this user can.';

/**
 * Runs a registered runner until it is stopped.
 * @throws RunnerProblem, CallError
 */
export async function startRunner(options: StartOptions, stop: AbortSignal): Promise<void> {
  const { registration, capacity, print } = options;
  const folder = resolve(options.folder);
  const labels = parseLabels(registration.labels);
  const isOnHost = labels.some(({ place }) => place.kind === 'host');
  if (isOnHost && process.getuid?.() === 0 && !options.mayBeRoot)
    throw new RunnerProblem('jobs on the host would run as root: name another user with --user, or say --allow-root');
  if (isOnHost) print(HOST_WARNING);
  const needsEngine = labels.some(({ place }) => place.kind === 'container');
  const engine = needsEngine ? await findEngine(options.engine) : undefined;
  if (needsEngine && !engine) throw new RunnerProblem('labels with docker:// need podman or docker, and neither works here');
  const environment = options.variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const daemon = {
    registration,
    capacity,
    labels,
    engine,
    folder,
    name: registration.name,
    tracking: `copse-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
    toolCache: join(folder, 'tools'),
    environment: Object.fromEntries(environment) as Record<string, string>,
    instanceUrl: trimEnd(registration.url, '/'),
    reportInterval: options.reportInterval ?? REPORT_MS,
    pollInterval: options.pollInterval ?? POLL_MS,
    shutdownTimeout: options.shutdownTimeout,
    print,
  };
  const release = await lockRunner(folder);
  try {
    await runDaemon(daemon, stop);
  } finally {
    release();
  }
}

/** Two runners in one folder would remove each other's jobs. */
async function lockRunner(folder: string): Promise<() => void> {
  try {
    return await lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUseError) throw new RunnerProblem(`another runner works in ${folder}`);
    throw error;
  }
}

/**
 * Makes this process, and so all steps, run as another user, to whom the folder belongs then.
 * @throws RunnerProblem
 */
export async function becomeUser(name: string, folder: string): Promise<void> {
  // The types of Node do not know all of it.
  const { setuid, setgid, initgroups, getuid } = process as NodeJS.Process & { initgroups?: (user: string, group: number) => void };
  if (!setuid || !setgid || !initgroups || getuid?.() !== 0) throw new RunnerProblem('--user needs root, which may become others');
  const { uid, gid } = findUser(name);
  await makePrivate(folder);
  chownSync(folder, uid, gid);
  initgroups.call(process, name, gid);
  setgid.call(process, gid);
  setuid.call(process, uid);
}

function findUser(name: string): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new RunnerProblem(`there is no user ${name} in /etc/passwd`);
  return { uid: Number(uid), gid: Number(gid) };
}
