import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sshFields } from '../../accounts/keys/ssh-fields.ts';
import { watchIdle } from '../idle.ts';

/** Time to clean up after a first signal, in milliseconds. */
const GRACE_MS = 5000;

/** The streams of a program, and its stop signal. */
export interface ProgramStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** A number that changes while the client sends or takes bytes. */
  readonly progress: () => number;
  /** How long it may stay the same. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs the program of a frame of `programFrame`, in its own process group.
 * @returns its exit code
 * @throws Error when it cannot be started
 */
export async function runProgram(frame: Buffer, { input, output, progress, idleTimeoutMs, signal }: ProgramStreams): Promise<number> {
  const [folder = '', count = '', ...rest] = sshFields(frame).map((field) => field.toString('utf8'));
  const variables = rest.splice(0, 2 * Number(count));
  const env: Record<string, string> = {};
  for (let at = 0; at < variables.length; at += 2) env[variables[at] ?? ''] = variables[at + 1] ?? '';
  const [name = '', ...args] = rest;
  const child = spawn(name, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
  let force: NodeJS.Timeout | undefined;
  const stop = () => {
    kill(child, 'SIGTERM');
    force ??= setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS).unref();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const unwatch = watchIdle(progress, idleTimeoutMs, stop);
  child.stdin.on('error', () => {});
  input.pipe(child.stdin);
  try {
    // A disconnected client reads nothing more.
    await pipeline(child.stdout, output, { end: false }).catch(stop);
    return await ended;
  } finally {
    unwatch();
    clearTimeout(force);
  }
}

function kill({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended just now.
  }
}
