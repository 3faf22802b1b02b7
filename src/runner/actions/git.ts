import { runProcess } from '../job/process.ts';
import { messageOf, RunnerProblem } from '../problem.ts';

/** How Git is called for the runner itself. */
export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly signal: AbortSignal;
  /** Its credentials, for one server. */
  readonly credentials?: GitCredentials | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** A token for all repositories of a server. */
export interface GitCredentials {
  readonly origin: string;
  readonly token: string;
}

/** Bytes per second, and seconds after which a slower transfer is given up. */
const SLOW = { 'http.lowSpeedLimit': '1000', 'http.lowSpeedTime': '30' };
const MAX_LINES = 1000;

/** The header that contains a token. */
export function authorization(token: string): string {
  return `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
}

/** Variables that configure Git. They are seen by nobody else, unlike its arguments. */
export function gitEnvironment(home: string, credentials?: GitCredentials): Record<string, string> {
  const config: [string, string][] = [
    ...Object.entries(SLOW),
    ['core.hooksPath', '/dev/null'],
    ['credential.helper', ''],
    ['init.defaultBranch', 'main'],
    ['advice.detachedHead', 'false'],
  ];
  if (credentials) config.push([`http.${credentials.origin}/.extraHeader`, authorization(credentials.token)]);
  return {
    HOME: home,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

/**
 * Runs Git on this machine; returns what it printed.
 * @throws RunnerProblem
 */
export async function git({ args, cwd, home, signal, credentials, env = {} }: GitCall): Promise<string> {
  const lines: string[] = [];
  const own = { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C', ...gitEnvironment(home, credentials), ...env };
  const onLine = (line: string) => void (lines.length < MAX_LINES && lines.push(line));
  const code = await runProcess({ argv: ['git', ...args], cwd, env: own, signal, onLine }).catch((error: unknown) => {
    throw new RunnerProblem(`git cannot be run: ${messageOf(error)}`);
  });
  const text = lines.join('\n').trim();
  if (code !== 0) throw new RunnerProblem(text.split('\n').at(-1) || `git ended with ${code}`);
  return text;
}
