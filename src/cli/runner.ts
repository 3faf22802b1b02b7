import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_LABELS } from '../runner/labels.ts';
import { RunnerProblem } from '../runner/problem.ts';
import { readRegistration, registerRunner } from '../runner/registration.ts';
import { becomeUser, HOST_WARNING, startRunner } from '../runner/start.ts';
import { type Command, HELP, type Terminal } from './words.ts';

const USAGE = `Usage: copse runner register --url URL --token TOKEN [OPTIONS]
       copse runner [OPTIONS]

Runs jobs of workflows. It is registered once, and takes jobs then until it is told to stop.
${HOST_WARNING}

Of both:
  --dir DIR           Where the runner keeps its registration, actions and jobs; ~/.copse-runner otherwise.

To register:
  --url URL           The instance. Needed.
  --token TOKEN       The registration token of the repository, owner or instance whose jobs it takes. Others on this
                      machine can see it while the command runs; COPSE_RUNNER_TOKEN keeps it from them.
  --name NAME         How the runner is called; as the machine otherwise.
  --labels LABELS     What jobs name in runs-on, and where they run: on the host, or in containers of an image.
                      ${DEFAULT_LABELS} otherwise; for example ubuntu-latest:docker://node:24
  --ephemeral         It takes one job, and is gone then.

To run:
  --capacity N        Jobs at once; 1 otherwise.
  --engine PROGRAM    What runs containers: podman, docker, auto (the first of these that works) or none.
  --env NAMES         Variables of this environment that steps get, such as http_proxy,no_proxy. They get no others.
  --user NAME         Become this user first, where it is started as root.
  --allow-root        Run jobs on the host as root.
  --shutdown SECONDS  What jobs get to finish once the runner is told to stop; 60 otherwise. They fail then.
`;

const OPTIONS = {
  dir: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  name: { type: 'string' },
  labels: { type: 'string' },
  ephemeral: { type: 'boolean' },
  capacity: { type: 'string' },
  engine: { type: 'string' },
  env: { type: 'string' },
  user: { type: 'string' },
  'allow-root': { type: 'boolean' },
  shutdown: { type: 'string' },
} as const;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
}

/** `copse runner`: registers a runner of workflows, and runs it until SIGTERM or SIGINT. */
export const runner: Command = {
  summary: 'Runs jobs of workflows.',
  async run(args, terminal) {
    if (args.some((word) => HELP.includes(word))) {
      terminal.out(USAGE);
      return 0;
    }
    let parsed: ReturnType<typeof parse>;
    try {
      parsed = parse(args);
    } catch (error) {
      return refuse(terminal, (error as Error).message);
    }
    const [word, ...others] = parsed.positionals;
    if (others.length > 0 || (word !== undefined && word !== 'register')) return refuse(terminal, `no such command: ${word}`);
    try {
      await (word === 'register' ? register(parsed.values, terminal) : daemon(parsed.values, terminal));
      return 0;
    } catch (error) {
      if (error instanceof RunnerProblem && error.message.startsWith('--')) return refuse(terminal, error.message);
      terminal.error(`copse runner: ${(error as Error).message}\n`);
      return 1;
    }
  },
};

function refuse(terminal: Terminal, message: string): number {
  terminal.error(`copse runner: ${message}\n\n${USAGE}`);
  return 2;
}

function folderOf({ dir }: Values): string {
  return dir ?? join(homedir(), '.copse-runner');
}

async function register(values: Values, terminal: Terminal): Promise<void> {
  const { url, name = hostname(), labels = DEFAULT_LABELS, ephemeral = false } = values;
  const token = values.token ?? terminal.environment.COPSE_RUNNER_TOKEN;
  if (!url) throw new RunnerProblem('--url is missing');
  if (!token) throw new RunnerProblem('--token is missing');
  const folder = folderOf(values);
  if (await readRegistration(folder)) throw new RunnerProblem(`${folder} has a runner already: give this one another --dir`);
  await registerRunner(folder, { url, registrationToken: token, name, labels, isEphemeral: ephemeral });
  terminal.out(`registered ${name} with the labels ${labels}; run it with: copse runner${values.dir ? ` --dir ${values.dir}` : ''}\n`);
}

async function daemon(values: Values, terminal: Terminal): Promise<void> {
  const folder = folderOf(values);
  const capacity = wholeNumber(values.capacity ?? '1', 'capacity', 1, 100);
  const seconds = wholeNumber(values.shutdown ?? '60', 'shutdown', 0, 86_400);
  if (values.user) await becomeUser(values.user, folder);
  const registration = await readRegistration(folder);
  if (!registration) throw new RunnerProblem(`${folder} has no runner: register one with copse runner register`);
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  const options = {
    folder,
    registration,
    capacity,
    engine: values.engine ?? 'auto',
    variables: (values.env ?? '').split(',').flatMap((name) => name.trim() || []),
    mayBeRoot: values['allow-root'] ?? false,
    shutdownTimeout: seconds * 1000,
    print: (line: string) => terminal.out(`${line}\n`),
  };
  try {
    await startRunner(options, stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

function wholeNumber(text: string, name: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < min || number > max)
    throw new RunnerProblem(`--${name} has to be a whole number from ${min} to ${max}`);
  return number;
}
