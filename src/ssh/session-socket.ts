import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Services } from '../context.ts';
import { watchActivity } from '../git/processes/process-activity.ts';
import type { GitProgram } from '../git/protocol/upload-pack.ts';
import { frames, programFrame, readRequest } from './frames.ts';
import { findOfferedKey, findPrincipals, formatIdentity, parseIdentity } from './identity.ts';
import { type SessionStreams, type SshCommands, serveSession } from './session.ts';

/** A connection that is served by a process that this one has started. */
export interface OwnConnection {
  /** Counts the commands that run on it. */
  sessions: number;
}

/** Identifies a connection by its client. sshd writes an IPv4 address in its own form. */
export function connectionKey(address: string, port: number | undefined): string {
  return `${address.replace(/^::ffff:(?=\d+\.)/i, '')} ${port}`;
}

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Serves the requests of processes that speak SSH with clients, copse-ssh.pl for sshd or the embedded server's: which keys may sign in,
 * and what a session may do.
 */
export class SessionSocket {
  readonly #services: Services;
  readonly #commands: SshCommands;
  readonly #command: (identity: string) => string;
  readonly #connectionOf: (address: string, port: number) => OwnConnection | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /**
   * @param command the command that a session of this identity runs, for a shell
   * @param connectionOf finds the connection of a client, if a process that this one has started serves it
   */
  constructor(
    services: Services,
    commands: SshCommands,
    command: (identity: string) => string,
    connectionOf: (address: string, port: number) => OwnConnection | undefined,
  ) {
    this.#services = services;
    this.#commands = commands;
    this.#command = command;
    this.#connectionOf = connectionOf;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
      this.#serve(socket).catch((err: unknown) => {
        services.log.error({ err }, 'an SSH session failed');
        socket.destroy();
      });
    });
  }

  /** Listens on a path that only the user of this process can open. A socket that a killed process left there is removed. */
  async listen(path: string): Promise<void> {
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => resolve());
    });
    await chmod(path, 0o600);
  }

  /** Stops listening and ends all sessions. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(socket: Socket): Promise<void> {
    const [mode, argument = '', ...rest] = (await readRequest(socket, REQUEST_TIMEOUT_MS)) ?? [];
    if (mode === 'session') await this.#session(socket, argument, rest);
    else if (mode === 'keys' || mode === 'principals') {
      const lines = mode === 'keys' ? await this.#keyLines(argument) : await this.#principalLines(argument);
      socket.end(Buffer.concat([frames('o', lines), frames('x', '0')]));
    } else socket.destroy();
  }

  /** A line of authorized_keys for the offered key; empty for an unknown one. */
  async #keyLines(fingerprint: string): Promise<string> {
    const key = await findOfferedKey(this.#services, fingerprint);
    if (!key) return '';
    const [type, base64] = key.content.split(' ');
    return `${this.#options(formatIdentity({ kind: 'key', id: key.id }))} ${type} ${base64}\n`;
  }

  async #principalLines(certificate: string): Promise<string> {
    const found = await findPrincipals(this.#services, certificate);
    return found.map(({ principal, identity }) => `${this.#options(formatIdentity(identity))} ${principal}\n`).join('');
  }

  #options(identity: string): string {
    return `restrict,command="${this.#command(identity)}"`;
  }

  async #session(socket: Socket, argument: string, rest: readonly string[]): Promise<void> {
    const identity = parseIdentity(argument);
    const [command = '', protocol = '', from = '', pid = ''] = rest;
    const [address = '', port] = from.split(' ');
    if (!identity) return void socket.destroy();
    const own = this.#connectionOf(address, Number(port));
    if (own) own.sessions++;
    const closed = new AbortController();
    socket.on('close', () => closed.abort());
    // Only with an sshd of this process is the id known to be that of a process on this machine.
    const streams = sessionStreams(socket, closed.signal, own && /^\d{1,9}$/.test(pid) ? Number(pid) : undefined);
    try {
      const code = await serveSession(this.#services, this.#commands, { identity, command, protocol, address }, streams);
      streams.output.end();
      await finished(streams.output).catch(() => {});
      if (socket.writable) socket.end(frames('x', String(code)));
    } finally {
      if (own) own.sessions--;
    }
  }
}

/** The streams of a session on the other side of a socket. */
function sessionStreams(socket: Socket, signal: AbortSignal, pid: number | undefined): SessionStreams {
  let isRequested = false;
  const input = new Readable({
    read: () => {
      // Until the first read, the client's bytes stay where git could read them.
      if (!isRequested) socket.write(frames('r'));
      isRequested = true;
      socket.resume();
    },
  });
  socket.on('data', (bytes: Buffer) => {
    if (!input.push(bytes)) socket.pause();
  });
  if (!isRequested) socket.pause();
  socket.on('end', () => input.push(null));
  const write = (bytes: Buffer, done: (error?: Error) => void) => {
    if (!socket.writable) done(new Error('the client has disconnected'));
    else if (socket.write(bytes)) done();
    else socket.once('drain', () => done());
  };
  const output = new Writable({ write: (chunk: Buffer, _encoding, done) => write(frames('o', chunk), done) });
  socket.on('close', () => {
    input.destroy();
    output.destroy();
  });
  for (const stream of [input, output]) stream.on('error', () => {});
  return {
    input,
    output,
    complain: (text) => void (socket.writable && socket.write(frames('e', text))),
    progress: () => socket.bytesRead + socket.bytesWritten,
    signal,
    become: (program, limits) => become(socket, program, { ...limits, pid }),
  };
}

/** Resolves when git has ended. sshd sends the exit code of git to the client. */
async function become(
  socket: Socket,
  program: GitProgram,
  { signal, idleTimeoutMs, timeoutMs, pid }: { signal: AbortSignal; idleTimeoutMs: number; timeoutMs: number; pid: number | undefined },
): Promise<number> {
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('end', () => socket.end());
  socket.write(programFrame(program));
  // Without reading, the end of the socket is not noticed.
  socket.resume();
  const stop = () => {
    if (pid !== undefined) killGroup(pid);
    socket.destroy();
  };
  const unwatch = pid === undefined ? () => {} : watchActivity(pid, idleTimeoutMs, stop);
  const deadline = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await ended;
    return 0;
  } finally {
    unwatch();
    clearTimeout(deadline);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
