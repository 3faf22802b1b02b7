import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { GitRepository } from '../repository.ts';
import type { GitProcess } from './launched-process.ts';
import { launch, type MemoryLimit, withLimit } from './launcher.ts';
import { publishGitProcess } from './observe.ts';
import { gitEnvironment, killGroup } from './process.ts';
import { watchActivity } from './process-activity.ts';

/** The end of a git service. */
export interface ServiceEnd {
  /** Null when it was stopped. */
  code: number | null;
  /** The beginning of its standard error. */
  stderr: string;
  /** Why the server stopped it, if it did. */
  stopped?: string;
}

/** A git process that communicates with a client. */
export interface ServiceProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The descriptors of the process from 3 on, as many as requested. */
  readonly channels: readonly Duplex[];
  readonly ended: Promise<ServiceEnd>;
  /** Stops it and its children: gently, so that it can clean up, and after some seconds by force. */
  stop(why: string): void;
}

/** Options of {@link startService}. */
export interface ServiceProcessOptions {
  /** The value of `GIT_PROTOCOL`; see {@link isSafeProtocol}. */
  protocol?: string;
  env?: Readonly<Record<string, string>>;
  /** How many sockets the process and its children get, from descriptor 3 on. */
  channels?: number;
  /** How much memory it may have; `unbounded` when left out. */
  memory?: MemoryLimit;
  timeoutMs: number;
}

const MAX_STDERR = 64 * 1024;
const GRACE_MS = 5000;

/** Whether a client's `Git-Protocol` may be passed to git: pairs of plain words, separated by colons. */
export function isSafeProtocol(protocol: string): boolean {
  return protocol.length <= 200 && /^[0-9a-z]+=[0-9a-z]+(:[0-9a-z]+=[0-9a-z]+)*$/i.test(protocol);
}

/** Starts a git service in its own process group, so that it can be stopped with all its children. */
export function startService(repository: GitRepository, args: readonly string[], options: ServiceProcessOptions): ServiceProcess {
  const { channels: count = 0, memory = 'unbounded' } = options;
  const { cwd, env, detached } = surroundings(repository, options);
  const stdio = Array.from({ length: 3 + count }, () => 'pipe' as const);
  const [program, words] = memory === 'unbounded' ? ['git', args] : ['/bin/sh', withLimit(memory, args)];
  const child =
    launch(memory, { args, cwd, env, channels: count }) ??
    (spawn(program, words, { cwd, env, detached, stdio }) as ChildProcessWithoutNullStreams);
  publishGitProcess(args, child);
  const { stdin, stdout, stderr } = child;
  const channels = child.stdio.slice(3) as Duplex[];
  return { stdin, stdout, channels, ...supervise(child, stdin, stderr, channels, options.timeoutMs) };
}

/**
 * A process that gets a connection as its standard output makes it blocking, also for the server, which may block then; so it is passed
 * as another descriptor by a shell. When it is full, git waits by itself.
 */
const INTO_CONNECTION = 'exec git "$@" >&3 3>&-';

/**
 * Starts a git service that writes into a connection instead of its standard output. It must write without the buffers of the C
 * library, which lose what a full connection does not accept: `upload-pack` does so when it sends a pack, but not when it lists refs.
 * @param options.idleTimeoutMs milliseconds that it may wait for the client
 */
export function startServiceInto(
  connection: Socket,
  repository: GitRepository,
  args: readonly string[],
  options: Omit<ServiceProcessOptions, 'channels'> & { idleTimeoutMs?: number },
): Omit<ServiceProcess, 'stdout' | 'channels'> {
  const child = spawn('/bin/sh', ['-c', INTO_CONNECTION, 'sh', ...args], {
    ...surroundings(repository, options),
    stdio: ['pipe', 'ignore', 'pipe', connection],
  }) as ChildProcessWithoutNullStreams;
  publishGitProcess(args, child);
  // Node stops reading from a socket that it passes to a process, and would not notice when the client disconnects.
  connection.resume();
  const { stdin, stderr } = child;
  const { ended, stop } = supervise(child, stdin, stderr, [], options.timeoutMs);
  if (options.idleTimeoutMs !== undefined && child.pid !== undefined) {
    const unwatch = watchActivity(child.pid, options.idleTimeoutMs, () => stop('the client does not read'));
    ended.then(unwatch, unwatch);
  }
  return { stdin, ended, stop };
}

function surroundings(repository: GitRepository, { protocol, env }: ServiceProcessOptions) {
  const variables: Record<string, string> = protocol && isSafeProtocol(protocol) ? { GIT_PROTOCOL: protocol } : {};
  return { cwd: repository.path, env: gitEnvironment({ ...env, ...variables }), detached: true } as const;
}

function supervise(
  child: GitProcess,
  stdin: Writable,
  stderr: Readable,
  channels: readonly Duplex[],
  timeoutMs: number,
): Pick<ServiceProcess, 'ended' | 'stop'> {
  let stopped: string | undefined;
  let errors = '';
  let force: NodeJS.Timeout | undefined;
  const stop = (why: string) => {
    if (stopped !== undefined || child.exitCode !== null || child.signalCode !== null) return;
    stopped = why;
    stdin.destroy();
    for (const channel of channels) channel.destroy();
    // A service with hooks treats the end of its input or of a channel as a refusal, and deletes its quarantine; a
    // signal would kill it before.
    if (channels.length === 0) killGroup(child, 'SIGTERM');
    force = setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const deadline = setTimeout(() => stop(`no end within ${timeoutMs} ms`), timeoutMs);
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < MAX_STDERR) errors += text;
  });
  // A process that ends before it has read everything breaks the pipe; its exit code says what failed.
  stdin.on('error', () => {});
  const ended = new Promise<ServiceEnd>((resolve, reject) => {
    const clear = () => {
      clearTimeout(deadline);
      clearTimeout(force);
    };
    child.on('error', (error) => {
      clear();
      reject(error);
    });
    child.on('exit', (code) => {
      clear();
      // Its children must not survive; usually there are none.
      if (stopped !== undefined) killGroup(child, 'SIGKILL');
      resolve({ code, stderr: errors, ...(stopped === undefined ? {} : { stopped }) });
    });
  });
  ended.catch(() => {});
  return { ended, stop };
}

/** The client's data, to be read once. The stream stays open at the end: for a socket, the response is written to it. */
export function bytesOf(input: Readable): AsyncIterableIterator<Buffer> {
  return input.iterator({ destroyOnReturn: false });
}

/** Writes all of `input` to the process, no faster than it reads; ends its input at the end, or when `input` breaks off. */
export async function feed(process: ServiceProcess, head: Buffer, input: AsyncIterator<Buffer>): Promise<void> {
  const { stdin } = process;
  try {
    await write(stdin, head);
    for (let next = await input.next(); !next.done && stdin.writable; next = await input.next()) await write(stdin, next.value);
    stdin.end();
  } catch {
    // The client has disconnected: git sees an early end, refuses the data and deletes it.
    stdin.destroy();
  }
}

function write(stdin: Writable, bytes: Buffer): Promise<void> | undefined {
  if (!stdin.writable || bytes.length === 0 || stdin.write(bytes)) return undefined;
  return new Promise((resolve) => {
    const go = () => {
      stdin.off('drain', go).off('close', go);
      resolve();
    };
    stdin.on('drain', go).on('close', go);
  });
}
