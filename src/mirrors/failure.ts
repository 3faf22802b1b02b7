import { RemoteError } from '../git/remote.ts';
import { RefConflictError, RefLockedError, StaleRefError } from '../git/update-refs.ts';
import { HostNotAllowedError } from '../http/outgoing/allowed-hosts.ts';
import { RemoteTooLargeError } from '../http/outgoing/git-proxy.ts';
import { RemoteUrlError } from '../http/outgoing/remote-url.ts';
import { LfsRemoteError } from '../lfs/client.ts';
import { LargeFilesError } from './large-files.ts';

const TOLD = [
  RemoteError,
  RefConflictError,
  RefLockedError,
  StaleRefError,
  HostNotAllowedError,
  RemoteTooLargeError,
  RemoteUrlError,
  LfsRemoteError,
  LargeFilesError,
];

/** Whether a transfer failed for a reason of the other server or of the network, which those who asked for it may read. */
export function isRemoteFailure(error: unknown): error is Error {
  return (
    TOLD.some((kind) => error instanceof kind) ||
    (error instanceof Error && 'code' in error && 'syscall' in error && error.syscall !== 'spawn')
  );
}

/** What those are told who look at a mirror. Nothing of this server is in it. */
export function failureText(error: unknown): string {
  const text = isRemoteFailure(error) ? error.message : 'the transfer failed';
  return text.slice(0, 2000) || 'the transfer failed';
}
