import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError, RunnerClient } from './client.ts';
import { type Label, parseLabels } from './labels.ts';
import { isPlain, textAt } from './plain.ts';
import { RunnerProblem } from './problem.ts';

/** The data of a runner, in the file `runner.json` of its folder. */
export interface Registration {
  /** The URL of the instance. */
  readonly url: string;
  readonly uuid: string;
  readonly token: string;
  readonly name: string;
  /** As they were given, such as `linux:host`. */
  readonly labels: string;
  /** It takes one job, and is deleted then. */
  readonly isEphemeral: boolean;
}

/** The parameters of a registration. */
export interface RegistrationRequest {
  readonly url: string;
  /** The registration token of the level whose jobs it takes. */
  readonly registrationToken: string;
  readonly name: string;
  readonly labels: string;
  readonly isEphemeral: boolean;
}

/** How runners call themselves; the server shows it nowhere. */
export const RUNNER_VERSION = 'copse-runner';
const FILE = 'runner.json';

/**
 * Registers a runner and keeps its credentials in the folder, readable by its owner alone.
 * @throws RunnerProblem, CallError
 */
export async function registerRunner(folder: string, request: RegistrationRequest): Promise<Registration> {
  const { url, registrationToken, name, labels, isEphemeral } = request;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new RunnerProblem('url: an http or https URL is needed');
  const message = { name, token: registrationToken, version: RUNNER_VERSION, labels: namesOf(parseLabels(labels)), ephemeral: isEphemeral };
  const { runner } = await new RunnerClient(url).register(message);
  if (!runner) throw new CallError('the server did not name the runner that it created', false);
  const registration = { url, uuid: runner.uuid, token: runner.token, name, labels, isEphemeral };
  await makePrivate(folder);
  const file = join(folder, FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(registration, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return registration;
}

/**
 * The registration of a folder; undefined without one.
 * @throws RunnerProblem for a file that is none
 */
export async function readRegistration(folder: string): Promise<Registration | undefined> {
  const file = join(folder, FILE);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new RunnerProblem(`${file} cannot be read: ${(error as Error).message}`);
  }
  const text = (key: string) => textAt(value, key);
  if (!isPlain(value) || text('url') === '' || text('uuid') === '' || text('token') === '')
    throw new RunnerProblem(`${file} is not the registration of a runner`);
  const isEphemeral = value.isEphemeral === true;
  return { url: text('url'), uuid: text('uuid'), token: text('token'), name: text('name'), labels: text('labels'), isEphemeral };
}

/** Forgets a registration that the server does not know any more. */
export async function forgetRegistration(folder: string): Promise<void> {
  await rm(join(folder, FILE), { force: true });
}

/** The names of labels, as the server knows them. */
export function namesOf(labels: readonly Label[]): string[] {
  return [...new Set(labels.map(({ name }) => name))];
}

/** Creates a folder that only its owner can enter. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}
