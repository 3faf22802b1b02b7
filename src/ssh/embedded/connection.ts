import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { AuthContext, Connection, ServerChannel, Session } from 'ssh2';
import { watchIdle } from '../idle.ts';
import type { ConnectionOutcome, SshConnection } from '../server.ts';
import { signInAttempts } from './authentication.ts';
import type { SshBackend } from './backend.ts';
import { channelStreams } from './channel.ts';
import { connectionFlow, rekeying } from './flow.ts';

/** Smallest packet size that a client may request: smaller ones waste time, and with a size of 0 ssh2 would loop for ever. */
const MIN_PACKET = 1024;
/** Unread bytes of one channel: twice the window that is announced, which ssh2 does not enforce. */
const MAX_UNREAD = 4 * 1024 * 1024;

interface Served {
  readonly socket: Socket;
  readonly address: string;
  readonly port: number;
}

/** A connection, and a function to call as soon as ssh2 has created its own: errors need a listener from the start. */
export interface ServedConnection extends SshConnection {
  readonly begin: (connection: Connection) => void;
}

/** What ssh2 knows of a session (1.17.0, lib/server.js), without public names. */
interface Internals {
  readonly _chanInfo?: { readonly outgoing?: { readonly packetSize?: number } };
}

/** Serves one client. */
export function serveConnection(backend: SshBackend, { socket, address, port }: Served): ServedConnection {
  const { loginTimeout, idleTimeout, sessionsPerConnection } = backend.settings.ssh;
  const attempts = signInAttempts(backend);
  const channels = new Set<ServerChannel>();
  let [sessions, running] = [0, 0];
  const close = () => void socket.destroy();
  const login = setTimeout(close, loginTimeout);
  const unwatch = watchIdle(() => socket.bytesRead + socket.bytesWritten, idleTimeout, close);
  const closed = new AbortController();
  socket.on('data', () => {
    for (const channel of channels) if (channel.readableLength > MAX_UNREAD) close();
    // ssh2 replies to every request, also when the client does not read the replies.
    if (socket.writableNeedDrain) socket.pause();
  });
  socket.on('drain', () => socket.resume());

  const serve = async (connection: Connection, channel: ServerChannel, request: { command: string; protocol: string }) => {
    const identity = attempts.identity();
    if (!identity) return close();
    const { input, output, progress } = channelStreams(channel, connectionFlow(connection, socket));
    const channelClosed = new AbortController();
    channel.on('close', () => channelClosed.abort());
    channels.add(channel);
    running++;
    try {
      const signal = AbortSignal.any([closed.signal, channelClosed.signal]);
      const complain = (text: string) => whileOpen(() => channel.stderr.write(text));
      const code = await backend.serve({ identity, address, port, ...request }, { input, output, progress, complain, signal });
      output.end();
      // An aborted output is destroyed already.
      await finished(output).catch(() => {});
      finish(channel, code);
    } finally {
      running--;
      channels.delete(channel);
    }
  };

  const run = async (connection: Connection, accept: () => ServerChannel | undefined, request: { command: string; protocol: string }) => {
    try {
      const channel = accept();
      // A channel runs one command (RFC 4254, section 6.5): ssh2 accepts no second one.
      if (channel) await serve(connection, channel, request);
      else close();
    } catch (err) {
      // ssh2 throws on writes after the client has disconnected.
      if (!socket.destroyed) backend.failed(err, 'an SSH session failed');
      close();
    }
  };

  const open = (connection: Connection, session: Session) => {
    if (((session as unknown as Internals)._chanInfo?.outgoing?.packetSize ?? 0) < MIN_PACKET) return close();
    sessions++;
    session.on('close', () => sessions--);
    let protocol = '';
    session.on('env', (accept, reject, { key, val }) => {
      if (key !== 'GIT_PROTOCOL') return void (reject as (() => void) | undefined)?.();
      protocol = val;
      (accept as (() => void) | undefined)?.();
    });
    session.on('exec', (accept, _reject, { command }) => void run(connection, accept, { command, protocol }));
    session.on('shell', (accept) => void run(connection, accept, { command: '', protocol }));
  };

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
    socket.on('data', rekey);
    socket.on('drain', rekey);
    connection.on('error', close);
    connection.on('authentication', (context) => void sign(connection, context));
    connection.on('ready', () => clearTimeout(login));
    connection.on('session', (accept, reject) => {
      if (sessions >= sessionsPerConnection) reject();
      else open(connection, accept());
    });
  };

  const ended = new Promise<ConnectionOutcome>((resolve) => {
    socket.once('close', () => {
      clearTimeout(login);
      unwatch();
      closed.abort();
      resolve(attempts.identity() ? 'authenticated' : attempts.refused() > 0 ? 'refused' : 'unused');
    });
  });
  return { sessions: () => running, ended, close, begin };
}

/** Sends the exit code, and ends the channel. */
function finish(channel: ServerChannel, code: number): void {
  whileOpen(() => {
    if (channel.writable) channel.exit(code);
    channel.end();
  });
}

/** Writes to the client, if it is still connected: ssh2 throws otherwise. */
function whileOpen(write: () => unknown): void {
  try {
    write();
  } catch {
    // The client has disconnected.
  }
}
