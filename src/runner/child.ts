import { CallError, RunnerClient } from './client.ts';
import { parseLabels } from './labels.ts';
import { messageOf, RunnerProblem } from './problem.ts';
import {
  forgetRegistration,
  makePrivate,
  namesOf,
  type Registration,
  RUNNER_VERSION,
  readRegistration,
  registerRunner,
} from './registration.ts';
import { becomeUser, startRunner } from './start.ts';

/*
 * The runner that a server starts in a process of its own, which ends with the server. It is told what to do by a message: arguments and
 * the environment of a process can be read by the jobs that it runs.
 */

/** The message from the server to the runner at the start. */
export interface ChildOptions {
  readonly folder: string;
  readonly url: string;
  readonly registrationToken: string;
  readonly name: string;
  readonly labels: string;
  readonly capacity: number;
  /** The user to become; null to stay. */
  readonly user: string | null;
}

/** The messages from the runner to the server. */
export interface ChildMessage {
  readonly line: string;
  /** It cannot go on. */
  readonly isProblem: boolean;
}

const stop = new AbortController();
// Without the server there is nobody to report to.
process.once('disconnect', () => stop.abort());
// Ctrl-C reaches the whole process group: the server stops this one.
process.on('SIGINT', () => {});
process.once('SIGTERM', () => stop.abort());
process.once('message', (options: ChildOptions) => void run(options));

async function run(options: ChildOptions): Promise<void> {
  const { folder, capacity, user } = options;
  const send = (message: ChildMessage) => void (process.connected && process.send?.(message));
  const print = (line: string) => send({ line, isProblem: false });
  try {
    if (user !== null) await becomeUser(user, folder);
    else if (process.getuid?.() === 0) throw new RunnerProblem('jobs would run as root: name another user in actions.runnerUser');
    await requireFolder(folder);
    const registration = (await usable(options)) ?? (await registerRunner(folder, { ...options, isEphemeral: false }));
    const common = { folder, registration, capacity, engine: 'none', variables: [], mayBeRoot: user === 'root', shutdownTimeout: 0 };
    await startRunner({ ...common, print }, stop.signal);
  } catch (error) {
    send({ line: messageOf(error), isProblem: true });
    process.exitCode = 1;
  }
  if (process.connected) process.disconnect?.();
}

/** The data folder can be entered by the user of the server alone. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await makePrivate(folder);
  } catch (error) {
    throw new RunnerProblem(`the user of the runner cannot use ${folder}: set actions.runnerDir (${messageOf(error)})`);
  }
}

/** The registration of an earlier start, with the URL and the labels of now; undefined where the server does not know it any more. */
async function usable({ folder, url, labels, name }: ChildOptions): Promise<Registration | undefined> {
  const found = await readRegistration(folder);
  if (!found) return undefined;
  const registration = { ...found, url, labels, name };
  try {
    const client = new RunnerClient(url, registration);
    await client.declare({ version: RUNNER_VERSION, labels: namesOf(parseLabels(labels)) });
    return registration;
  } catch (error) {
    if (!(error instanceof CallError) || error.isTemporary) throw error;
    await forgetRegistration(folder);
    return undefined;
  }
}
