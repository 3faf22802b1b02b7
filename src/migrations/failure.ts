import { RemoteError } from '../git/remotes/remote.ts';
import { HttpError, unprocessable } from '../http/errors.ts';
import { HostNotAllowedError } from '../http/outgoing/allowed-hosts.ts';
import { RemoteUrlError } from '../http/outgoing/remote-url.ts';
import { UnreachableError } from '../http/outgoing/unreachable.ts';
import { failureText, isRemoteFailure } from '../mirrors/failure.ts';
import { SourceError } from './source/errors.ts';

/** The error that clients expect for a source that cannot be read; others are returned as they are. */
export function migrationError(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  if (error instanceof RemoteUrlError) {
    if (error.fault === 'local') return unprocessable('You are not allowed to import local repositories.');
    if (error.fault === 'host') return unprocessable('You can not import from disallowed hosts.');
    const reason = error.fault === 'protocol' ? 'the provided url protocol is not allowed' : 'the provided url is invalid';
    return unprocessable(`migration/cloning from '${error.host}' is not allowed: ${reason}`);
  }
  if (error instanceof HostNotAllowedError) return unprocessable('You can not import from disallowed hosts.');
  if (error instanceof RemoteError || error instanceof UnreachableError) return cloneFailure(error.message);
  if (error instanceof SourceError) return sourceFailure(error);
  return isRemoteFailure(error) ? unprocessable(`Migration failed: ${failureText(error)}.`) : error;
}

/** A failure of git. Clients look for the words in front of its message. */
function cloneFailure(message: string): HttpError {
  const needsCredentials = /Authentication failed|could not read Username/.test(message);
  return unprocessable(`${needsCredentials ? 'Authentication' : 'Migration'} failed: clone error: exit status 128 - ${message}.`);
}

function sourceFailure({ fault, message }: SourceError): HttpError {
  if (fault === 'rate-limit') return unprocessable('Remote visit addressed rate limitation.');
  if (fault === 'two-factor') return unprocessable('Remote visit required two factors authentication.');
  return unprocessable(`${fault === 'authentication' ? 'Authentication' : 'Migration'} failed: ${message}.`);
}

/** The recorded failure: a status, and a message that users may read. */
export function recordedFailure(error: unknown): { status: number; message: string } {
  const known = migrationError(error);
  if (known instanceof HttpError) return { status: known.status, message: known.message.slice(0, 2000) };
  return { status: 500, message: 'the migration failed because of an error of this server' };
}
