import { RefConflictError, RefLockedError, StaleRefError } from '../git/refs/update-refs.ts';
import { RemoteError } from '../git/remotes/remote.ts';
import { HostNotAllowedError } from '../http/outgoing/allowed-hosts.ts';
import { RemoteTooLargeError } from '../http/outgoing/git-proxy.ts';
import { RemoteUrlError } from '../http/outgoing/remote-url.ts';
import { UnreachableError } from '../http/outgoing/unreachable.ts';
import { LfsRemoteError } from '../lfs/client.ts';
import { LargeFilesError } from './large-files.ts';

/** Errors whose messages users may read. */
const PUBLIC_ERRORS = [
  RemoteError,
  RefConflictError,
  RefLockedError,
  StaleRefError,
  HostNotAllowedError,
  RemoteTooLargeError,
  RemoteUrlError,
  UnreachableError,
  LfsRemoteError,
  LargeFilesError,
];

/** Whether a transfer failed because of the other server or the network. Users may read the message of such an error. */
export function isRemoteFailure(error: unknown): error is Error {
  return (
    PUBLIC_ERRORS.some((kind) => error instanceof kind) ||
    (error instanceof Error && 'code' in error && 'syscall' in error && error.syscall !== 'spawn')
  );
}

/** The error message for users. It reveals no internals of this server. */
export function failureText(error: unknown): string {
  const text = isRemoteFailure(error) ? error.message : 'the transfer failed';
  return text.slice(0, 2000) || 'the transfer failed';
}
