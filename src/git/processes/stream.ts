import { Readable } from 'node:stream';
import type { GitRepository } from '../repository.ts';
import { failureOf, GitError, GitLimitError, type GitLimits, killGroup, spawnGit } from './process.ts';

/** A timeout of a day could be abused, and a slow reader of a large archive needs more than a minute. */
const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** Limits of {@link streamGit}, and git's input. */
export interface StreamOptions extends GitLimits {
  env?: Readonly<Record<string, string>>;
  input?: string;
}

/**
 * git's output as a stream that is read no faster than it is consumed. Destroying the stream ends git; a failure of git
 * ({@link GitError}), or exceeding a limit ({@link GitLimitError}), is the stream's error.
 */
export function streamGit(repository: GitRepository, args: readonly string[], options: StreamOptions = {}): Readable {
  const stop = new AbortController();
  const stream = Readable.from(output(repository, args, options, stop.signal), { objectMode: false });
  const destroy = stream._destroy;
  // A generator that waits for git's output would only end when that arrives.
  stream._destroy = (error, callback) => {
    stop.abort();
    destroy.call(stream, error, callback);
  };
  return stream;
}

async function* output(
  repository: GitRepository,
  args: readonly string[],
  options: StreamOptions,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxOutput = Number.POSITIVE_INFINITY } = options;
  const child = spawnGit(args, { cwd: repository.path, env: { ...repository.quarantine, ...options.env } });
  let stderr = '';
  let late = false;
  // When git has ended and one of its children holds the output open, nothing more is read.
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) killGroup(child);
    else child.stdout.destroy();
  };
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeoutMs);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString();
  });
  try {
    let size = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxOutput) throw new GitLimitError(args, null, `more than ${maxOutput} bytes of output`);
      yield chunk;
    }
    const code = await ended;
    if (late) throw new GitLimitError(args, code, `no end within ${timeoutMs} ms`);
    if (code !== 0) throw failureOf(args, code, stderr);
  } catch (error) {
    throw late && !(error instanceof GitError) ? new GitLimitError(args, null, `no end within ${timeoutMs} ms`) : error;
  } finally {
    clearTimeout(timer);
    end();
  }
}
