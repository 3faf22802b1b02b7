import { GitError, GitLimitError } from '../processes/process.ts';

/**
 * A repository on another server as git connects to it. The code that creates one has checked that git may connect there, and ensures that
 * git connects to no other host.
 */
export interface Remote {
  /** The URL for git, without credentials. */
  readonly url: string;
  /** Configuration for git, such as its proxy. It is passed in the environment, which other users cannot read. */
  readonly config: readonly (readonly [key: string, value: string])[];
  /** Further environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Throws the reason if the connection was cut for one that git does not know, such as a forbidden host. */
  readonly requireUncut: () => void;
  /** How long one git process may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Stops git. */
  readonly signal?: AbortSignal;
}

/**
 * What failed: `authentication` was refused, there is no such `repository`, the `objects` are damaged, git took too long (`timeout`), or
 * something else.
 */
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

/** The environment of a git process that connects to `remote`, which is named {@link REMOTE_NAME} there. */
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

/**
 * Runs a git process that connects to `remote`.
 * @throws RemoteError for an error of git, the reason why the connection was cut, or the reason of an aborted signal
 */
export async function withRemoteErrors<T>(remote: Remote, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    remote.requireUncut();
    remote.signal?.throwIfAborted();
    throw error instanceof GitError ? remoteError(error) : error;
  }
}

/** Length limit of git's message. */
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

/** The lines about the failure, without progress and credentials. */
function messageOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(fatal|error|remote|warning| !)/.test(line) && !/^remote: .*\d% \(/.test(line));
  return (lines.join('\n') || stderr.trim()).replace(/(:\/\/)[^/@\s]*@/g, '$1').slice(0, MAX_MESSAGE);
}
