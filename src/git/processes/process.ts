import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type GitProcess, killGroupOf, LaunchedProcess } from './launched-process.ts';
import { launch, withLimit } from './launcher.ts';
import { publishGitProcess } from './observe.ts';

/** Limits of a git process; it is killed beyond them. */
export interface GitLimits {
  /** Milliseconds. */
  timeoutMs?: number;
  /** Bytes of standard output. */
  maxOutput?: number;
}

/** Options of {@link runGit}. */
export interface GitOptions extends GitLimits {
  /** The repository's folder: git runs in it. */
  cwd?: string;
  /** Further environment variables; the rest of the environment is never inherited. */
  env?: Readonly<Record<string, string>>;
  /** Written to standard input. */
  input?: string | Uint8Array;
  /** Exit codes besides 0 that are not a failure. */
  okCodes?: readonly number[];
  /** Ends the process early. */
  signal?: AbortSignal;
  /** Called with standard error as it arrives, such as progress; then the end of it is kept, not the beginning. */
  onStderr?: (text: string) => void;
  /** The default is a memory limit. */
  memory?: 'unbounded';
}

/** The result of a finished git process. */
export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** git ended with an exit code that was not expected. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
  readonly args: readonly string[];
  readonly code: number | null;
  readonly stderr: string;
  constructor(args: readonly string[], code: number | null, stderr: string) {
    super(`git ${args[0] ?? ''} ended with ${code}: ${stderr.trim().slice(0, 2000)}`);
    this.args = args;
    this.code = code;
    this.stderr = stderr;
  }
}

/** git was stopped at its deadline or its limit of output or memory. */
export class GitLimitError extends GitError {
  override readonly name = 'GitLimitError';
}

/** git was stopped because it wrote more than its limit. */
export class GitOutputLimitError extends GitLimitError {}

/**
 * Why git failed, by how it ended.
 * @param code null where a signal ended it: git itself crashes on some input, such as folders within thousands of others
 * @param limit the limit at which the server stopped it; empty for none
 */
export function failureOf(args: readonly string[], code: number | null, stderr: string, limit = ''): GitError {
  const reason = limit || (isOutOfMemory(stderr) ? 'out of memory' : code === null ? 'ended by a signal' : '');
  return reason ? new GitLimitError(args, code, reason) : new GitError(args, code, stderr);
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** A caller that needs more passes a limit: many callers may hold as much at the same time. */
const DEFAULT_MAX_OUTPUT = 32 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;
/** Once git has exited or was killed, its children may hold its output open for so many milliseconds. */
const STRAY_GRACE_MS = 2000;

/**
 * The whole environment of every git process: nothing of the server's own is passed on, system and user
 * configuration are not read, and `safe.directory` lets the server run under any user.
 */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    ...extra,
  };
}

/**
 * Starts a git process whose streams the caller handles; the caller limits it and ends it with {@link killGroup}. It leads a process
 * group, so that its children end with it.
 * @param options.memory `unbounded` for the maintenance of whole repositories
 * @param options.output the descriptor of a file that git writes to; then there is no `stdout`
 */
export function spawnGit(
  args: readonly string[],
  { cwd, output, ...options }: Pick<GitOptions, 'cwd' | 'env' | 'memory'> & { output?: number } = {},
): GitProcess {
  const env = gitEnvironment(options.env);
  const memory = options.memory ?? 'bounded';
  const child =
    (output === undefined ? launch(memory, { args, cwd, env }) : undefined) ??
    (spawn('/bin/sh', withLimit(memory, args), {
      cwd,
      env,
      stdio: ['pipe', output ?? 'pipe', 'pipe'],
      detached: true,
    }) as ChildProcessWithoutNullStreams);
  publishGitProcess(args, child);
  return child;
}

/** Signals a process group by its leader. */
export function killGroup(child: Pick<GitProcess, 'pid'>, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child instanceof LaunchedProcess) child.killGroup(signal);
  else if (child.pid !== undefined) killGroupOf(child.pid, signal);
}

/** Whether git was not found: by the shell that sets the limit, or by the system. */
export function isGitMissing(error: unknown): boolean {
  if (error instanceof GitError) return error.code === 127 && /\bgit: not found|\bgit: command not found/.test(error.stderr);
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'spawn git';
}

/** Whether git gave up because it got no more memory. */
export function isOutOfMemory(stderr: string): boolean {
  return /^fatal: (?:(?:\w+: )?out of memory|mmap failed: cannot allocate memory)/im.test(stderr);
}

/**
 * Runs git to its end and returns its output. A caller's arguments come after `--end-of-options` or `--`.
 * @throws GitError for an exit code that is neither 0 nor in `okCodes`
 * @throws GitLimitError at the deadline or the output limit
 */
export function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxOutput = DEFAULT_MAX_OUTPUT, okCodes = [], input, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawnGit(args, options);
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let limit = '';
    let isSettled = false;
    const settle = (code: number | null) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      const isExpected = code === 0 || (code !== null && okCodes.includes(code));
      if (isExpected && !limit && !isOutOfMemory(stderr)) resolve({ code, stdout: Buffer.concat(chunks, size), stderr });
      else reject(failureOf(args, code, stderr, limit));
    };
    const stop = (why: string) => {
      if (limit) return;
      limit = why;
      killGroup(child);
      // A process that does not even end when it is killed (a dead file system) is not waited for.
      setTimeout(() => settle(null), STRAY_GRACE_MS).unref();
    };
    const timer = setTimeout(() => stop(`no end within ${timeoutMs} ms`), timeoutMs);
    const onAbort = () => stop('aborted');
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) stop(`more than ${maxOutput} bytes of output`);
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      const text = chunk.toString('utf8');
      if (options.onStderr) stderr = (stderr + text).slice(-MAX_STDERR);
      else if (stderr.length < MAX_STDERR) stderr += text;
      options.onStderr?.(text);
    });
    // A process that ends before it has read its input breaks the pipe; its exit code says what failed.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(error);
    });
    child.on('exit', (code) => {
      if (limit) return settle(code);
      setTimeout(() => {
        if (!isSettled) killGroup(child);
        settle(code);
      }, STRAY_GRACE_MS).unref();
    });
    child.on('close', settle);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) return onAbort();
    child.stdin.end(input);
  });
}
