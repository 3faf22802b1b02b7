import { GitError, GitLimitError } from './process.ts';

/**
 * A repository of another server as git reaches it. Whoever makes one has decided that git may go there, and sees to it that it goes
 * nowhere else.
 */
export interface Remote {
  /** The URL that git is given; without credentials. */
  readonly url: string;
  /** Configuration for git, such as its proxy. It is handed over in the environment, where other users do not see it. */
  readonly config: readonly (readonly [key: string, value: string])[];
  /** Further environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Throws if the connection was cut for a reason that git does not know, as that the host may not be reached. */
  readonly requireUncut: () => void;
  /** Whether certificates and the like shall be valid, ends git, deadlines: how long one git process may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What went wrong with another server: `authentication` was refused, there is no such `repository`, or something else. */
export type RemoteFault = 'authentication' | 'repository' | 'objects' | 'timeout' | 'other';

/** git could not fetch from another server, or push to it. The message is git's, without credentials. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly fault: RemoteFault;
  constructor(fault: RemoteFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** The name of the remote in the configuration of one git process. */
export const REMOTE_NAME = 'source';

/** The environment of a git process that speaks with `remote`, known to it as {@link REMOTE_NAME}. */
export function remoteEnvironment(remote: Remote, config: readonly (readonly [key: string, value: string])[] = []): Record<string, string> {
  const all = [
    ['safe.directory', '*'],
    ['core.hooksPath', '/dev/null'],
    [`remote.${REMOTE_NAME}.url`, remote.url],
    ['transfer.bundleURI', 'false'],
    ...remote.config,
    ...config,
  ];
  const entries = all.flatMap(([key = '', value = ''], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...remote.env, GIT_ALLOW_PROTOCOL: 'http:https:git', GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(entries) };
}

/** Runs a task of git with `remote`, and makes what goes wrong a {@link RemoteError}. */
export async function withRemoteErrors<T>(remote: Remote, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    remote.requireUncut();
    remote.signal?.throwIfAborted();
    throw error instanceof GitError ? remoteError(error) : error;
  }
}

const MAX_MESSAGE = 2000;

function remoteError(error: GitError): RemoteError {
  if (error instanceof GitLimitError) return new RemoteError('timeout', error.stderr, error);
  const { stderr } = error;
  const message = messageOf(stderr);
  const isAny = (...texts: string[]) => texts.some((text) => stderr.includes(text));
  if (isAny('Authentication failed', 'could not read Username', 'could not read Password', 'returned error: 403', 'returned error: 401'))
    return new RemoteError('authentication', message, error);
  if (
    /fatal: repository '.*' not found/.test(stderr) ||
    isAny('does not appear to be a git repository', 'returned error: 404', 'access denied or repository')
  )
    return new RemoteError('repository', message, error);
  if (isAny('fsck error', 'index-pack failed', 'fetch-pack: invalid index-pack')) return new RemoteError('objects', message, error);
  return new RemoteError('other', message, error);
}

/** What tells of the failure, without lines of progress. */
function messageOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(fatal|error|remote|warning| !)/.test(line) && !/^remote: .*\d+% \(/.test(line));
  return (lines.join('\n') || stderr.trim()).replace(/(:\/\/)[^/@\s]*@/g, '$1').slice(0, MAX_MESSAGE);
}
