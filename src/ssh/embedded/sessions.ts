import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { ServerChannel, Session } from 'ssh2';
import type { SshBackend } from './backend.ts';
import { channelStreams, type Flow } from './channel.ts';

/** Smallest packet size that a client may request: smaller ones waste time, and with a size of 0 ssh2 would loop for ever. */
const MIN_PACKET = 1024;
/** Unread bytes of one channel: twice the window that is announced, which ssh2 does not enforce. */
const MAX_UNREAD = 4 * 1024 * 1024;

/** The internals of a session of ssh2 (1.17.0, lib/server.js), which have no public names. */
interface Internals {
  readonly _chanInfo?: { readonly outgoing?: { readonly packetSize?: number } };
}

/** The client of a connection. */
export interface Served {
  readonly socket: Socket;
  readonly address: string;
  readonly port: number;
}

interface CommandRequest {
  readonly command: string;
  readonly protocol: string;
}

/** The sessions of one connection (RFC 4254, section 6), each of which runs one command. */
export class SshSessions {
  readonly #backend: SshBackend;
  readonly #served: Served;
  readonly #identity: () => string | undefined;
  readonly #channels = new Set<ServerChannel>();
  readonly #closed = new AbortController();
  #open = 0;

  /** @param identity the signed-in client */
  constructor(backend: SshBackend, served: Served, identity: () => string | undefined) {
    this.#backend = backend;
    this.#served = served;
    this.#identity = identity;
  }

  /** Sessions that the client has open. */
  get open(): number {
    return this.#open;
  }

  /** Commands that run. */
  get running(): number {
    return this.#channels.size;
  }

  /** Whether the client sends more than it was told it may. */
  areFlooded(): boolean {
    return [...this.#channels].some((channel) => channel.readableLength > MAX_UNREAD);
  }

  /** Ends the commands that run. */
  abort(): void {
    this.#closed.abort();
  }

  /** Serves a session that the client has opened. */
  serve(flow: Flow, session: Session): void {
    if (((session as unknown as Internals)._chanInfo?.outgoing?.packetSize ?? 0) < MIN_PACKET) {
      this.#disconnect();
      return;
    }
    this.#open++;
    session.on('close', () => this.#open--);
    let protocol = '';
    session.on('env', (accept, reject, { key, val }) => {
      if (key !== 'GIT_PROTOCOL') return void (reject as (() => void) | undefined)?.();
      protocol = val;
      (accept as (() => void) | undefined)?.();
    });
    session.on('exec', (accept, _reject, { command }) => void this.#run(flow, accept, { command, protocol }));
    session.on('shell', (accept) => void this.#run(flow, accept, { command: '', protocol }));
  }

  async #run(flow: Flow, accept: () => ServerChannel | undefined, request: CommandRequest): Promise<void> {
    try {
      const channel = accept();
      // A channel runs one command (RFC 4254, section 6.5): ssh2 accepts no second one.
      if (channel) await this.#runOn(channel, flow, request);
      else this.#disconnect();
    } catch (err) {
      // ssh2 throws on writes after the client has disconnected.
      if (!this.#served.socket.destroyed) this.#backend.failed(err, 'an SSH session failed');
      this.#disconnect();
    }
  }

  async #runOn(channel: ServerChannel, flow: Flow, request: CommandRequest): Promise<void> {
    const identity = this.#identity();
    if (!identity) return this.#disconnect();
    const { input, output, progress } = channelStreams(channel, flow);
    const channelClosed = new AbortController();
    channel.on('close', () => channelClosed.abort());
    this.#channels.add(channel);
    try {
      const signal = AbortSignal.any([this.#closed.signal, channelClosed.signal]);
      const complain = (text: string) => whileOpen(() => channel.stderr.write(text));
      const { address, port } = this.#served;
      const code = await this.#backend.serve({ identity, address, port, ...request }, { input, output, progress, complain, signal });
      output.end();
      // An aborted output is destroyed already.
      await finished(output).catch(() => {});
      finish(channel, code);
    } finally {
      this.#channels.delete(channel);
    }
  }

  #disconnect(): void {
    this.#served.socket.destroy();
  }
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
