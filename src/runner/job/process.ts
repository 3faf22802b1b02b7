import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that a step runs. */
export interface ProcessRequest {
  /** The program and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** All that it gets: nothing of the runner's own environment is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** Is written to it, and ends; nothing where it is left out. */
  readonly input?: string;
}

/** Length in characters at which a line is split: an endless line must not fill the memory. */
const MAX_LINE = 64 * 1024;
/** Milliseconds between SIGINT and SIGKILL. */
const GRACE_MS = 7500;
/** Milliseconds to read the pipes of an ended program while other processes that it started hold them. */
const REST_MS = 1000;
/** Exit code of a program that a signal ended. */
const KILLED = 137;

/**
 * Runs a program in a process group of its own; returns its exit code. When the signal aborts, the group gets SIGINT and, if it goes on,
 * SIGKILL.
 * @param graceMs milliseconds between the two
 * @throws Error when it cannot be started
 */
export async function runProcess(request: ProcessRequest, graceMs = GRACE_MS): Promise<number> {
  const { argv, cwd, env, signal, onLine, input } = request;
  signal.throwIfAborted();
  const [file, ...args] = argv;
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
  const lines = [child.stdout, child.stderr].map((stream) => readLines(stream as Readable, onLine));
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  let killer: NodeJS.Timeout | undefined;
  const stop = () => {
    signalGroup(child.pid, 'SIGINT');
    killer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? KILLED));
    });
    await Promise.race([Promise.all(lines), sleep(REST_MS)]);
    return code;
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killer);
    // Processes of the group that ignored SIGINT must not outlive the step.
    if (signal.aborted) signalGroup(child.pid, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Hands on the lines of a stream, without their ends. */
async function readLines(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) emit(line, onLine);
    while (rest.length > MAX_LINE) {
      onLine(rest.slice(0, MAX_LINE));
      rest = rest.slice(MAX_LINE);
    }
  };
  try {
    for await (const chunk of stream) take(decoder.write(chunk as Buffer));
  } catch {
    // It was closed because the program has ended.
  }
  take(decoder.end());
  if (rest !== '') emit(rest, onLine);
}

function emit(line: string, onLine: (line: string) => void): void {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  for (let at = 0; at === 0 || at < text.length; at += MAX_LINE) onLine(text.slice(at, at + MAX_LINE));
}
