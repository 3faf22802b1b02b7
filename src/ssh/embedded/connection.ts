import type { AuthContext, Connection } from 'ssh2';
import { watchIdle } from '../idle.ts';
import type { ConnectionOutcome, SshConnection } from '../server.ts';
import { signInAttempts } from './authentication.ts';
import type { SshBackend } from './backend.ts';
import { connectionFlow, rekeying } from './flow.ts';
import { type Served, SshSessions } from './sessions.ts';

/** A connection, and a function to call as soon as ssh2 has created its own: errors need a listener from the start. */
export interface ServedConnection extends SshConnection {
  readonly begin: (connection: Connection) => void;
}

/** Serves one client. */
export function serveConnection(backend: SshBackend, served: Served): ServedConnection {
  const { socket } = served;
  const { loginTimeout, idleTimeout, sessionsPerConnection } = backend.settings.ssh;
  const attempts = signInAttempts(backend);
  const close = () => void socket.destroy();
  const login = setTimeout(close, loginTimeout);
  const unwatch = watchIdle(() => socket.bytesRead + socket.bytesWritten, idleTimeout, close);
  const sessions = new SshSessions(backend, served, () => attempts.identity());
  socket.on('data', () => {
    if (sessions.areFlooded()) close();
    // ssh2 replies to every request, also when the client does not read the replies.
    if (socket.writableNeedDrain) socket.pause();
  });
  socket.on('drain', () => socket.resume());

  const sign = async (connection: Connection, context: AuthContext) => {
    try {
      if (!(await attempts.attempt(context)) && !attempts.identity()) connection.end();
    } catch (err) {
      // ssh2 throws on writes after the client has disconnected.
      if (!socket.destroyed) backend.failed(err, 'an SSH sign-in could not be checked');
      close();
    }
  };

  const begin = (connection: Connection) => {
    const rekey = rekeying(connection, socket);
    const flow = connectionFlow(connection, socket);
    socket.on('data', rekey);
    socket.on('drain', rekey);
    connection.on('error', close);
    connection.on('authentication', (context) => void sign(connection, context));
    connection.on('ready', () => clearTimeout(login));
    connection.on('session', (accept, reject) => {
      if (sessions.open >= sessionsPerConnection) reject();
      else sessions.serve(flow, accept());
    });
  };

  const ended = new Promise<ConnectionOutcome>((resolve) => {
    socket.once('close', () => {
      clearTimeout(login);
      unwatch();
      sessions.abort();
      resolve(attempts.identity() ? 'authenticated' : attempts.refused() > 0 ? 'refused' : 'unused');
    });
  });
  return { sessions: () => sessions.running, ended, close, begin };
}
