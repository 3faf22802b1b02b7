import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registrationToken } from '../actions/runners/registration-tokens.ts';
import { internalContext } from '../context.ts';
import type { Logger } from '../log.ts';
import type { ChildMessage, ChildOptions } from '../runner/child.ts';
import type { Server } from '../server.ts';

const CHILD = join(import.meta.dirname, '../runner/child.ts');
/** The environment of the runner: none of the server's settings and secrets. */
const PASSED = ['PATH', 'HOME', 'LANG', 'TZ', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS'];
const RESTART_MS = 10_000;
const MAX_RESTART_MS = 10 * 60_000;
/** Milliseconds that a runner gets to report its jobs as failed. */
const PATIENCE_MS = 15_000;

/** The runner beside a server. */
export interface LocalRunner {
  /** Ends it; its jobs are reported as failed. */
  close(): Promise<void>;
}

/** Starts a runner in a separate process if the settings enable it, and again whenever it ends. */
export function startLocalRunner(server: Server, log: Logger): LocalRunner {
  const stop = new AbortController();
  const { actions } = server.services.settings;
  const loop = actions.enabled && actions.runner === 'host' ? keepRunning(server, log, stop.signal) : undefined;
  return {
    close: async () => {
      stop.abort();
      await loop;
    },
  };
}

async function keepRunning(server: Server, log: Logger, signal: AbortSignal): Promise<void> {
  for (let pause = RESTART_MS; !signal.aborted; pause = Math.min(pause * 2, MAX_RESTART_MS)) {
    try {
      await runOnce(await optionsOf(server), log, signal);
    } catch (error) {
      log.error({ err: error }, 'the local runner could not be started');
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

async function optionsOf({ url, services }: Server): Promise<ChildOptions> {
  const { actions, server } = services.settings;
  const token = await registrationToken(internalContext(services), { instance: true });
  return {
    folder: actions.runnerDir,
    url: localUrl(url, server.rootUrl),
    registrationToken: token,
    name: `${hostname()} (local)`,
    labels: actions.runnerLabels,
    capacity: actions.runnerCapacity,
    user: actions.runnerUser,
  };
}

/** How this machine reaches the server. A certificate is good for the root URL alone. */
function localUrl(url: string, rootUrl: string): string {
  if (url.startsWith('https:')) return rootUrl;
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function runOnce(options: ChildOptions, log: Logger, signal: AbortSignal): Promise<void> {
  const env = Object.fromEntries(PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const child = fork(CHILD, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', (message) => {
    const { line, isProblem } = message as ChildMessage;
    log[isProblem ? 'error' : 'info']({ pid: child.pid }, `local runner: ${line}`);
  });
  const ended = once(child, 'close');
  child.send(options);
  const end = () => void endChild(child, ended);
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = await ended;
    if (!signal.aborted) log.error({ code }, 'the local runner has ended');
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function endChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}
