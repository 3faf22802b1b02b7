import { HostNotAllowedError } from './allowed-hosts.ts';
import type { RemoteUrl } from './remote-url.ts';

/** The host of a repository could not be reached. The message is the one that git has without a proxy. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/**
 * Why there is no connection, as users of git know it: Node's error names neither the URL nor the host.
 * @param ms how long it was tried
 */
export function unreachable(target: RemoteUrl, error: unknown, ms: number): Error {
  if (error instanceof HostNotAllowedError) return error;
  const { url, protocol, host, port } = target;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  if (protocol === 'git') {
    const reason = isUnknown ? `unable to look up ${host} (port ${port})` : `unable to connect to ${host}: ${message}`;
    return new UnreachableError(`fatal: ${reason}`, { cause: error });
  }
  const connection = `Failed to connect to ${host} port ${port} after ${ms} ms: Couldn't connect to server`;
  const reason = isUnknown ? `Could not resolve host: ${host}` : code ? connection : message;
  return new UnreachableError(`fatal: unable to access '${url.replace(/\/?$/, '/')}': ${reason}`, { cause: error });
}
