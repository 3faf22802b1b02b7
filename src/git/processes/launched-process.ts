import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

type OnEnd = (code: number | null, signal: NodeJS.Signals | null) => void;

/** The used part of a process: of Node's `ChildProcess`, or a {@link LaunchedProcess}. */
export interface GitProcess {
  /** For a process of the launcher, it is set a moment later. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  on(event: 'exit', listener: OnEnd): unknown;
  on(event: 'close', listener: OnEnd): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: OnEnd): unknown;
  once(event: 'close', listener: OnEnd): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
}

interface Events {
  exit: [code: number | null, signal: NodeJS.Signals | null];
  close: [code: number | null, signal: NodeJS.Signals | null];
  error: [error: Error];
}

/**
 * A process that the launcher starts, with the used part of Node's `ChildProcess`: the same streams and events in the same order. Its id is
 * set a moment later.
 */
export class LaunchedProcess extends EventEmitter<Events> implements GitProcess {
  pid: number | undefined;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly stdin = new Socket({ readable: false });
  readonly stdout = new Socket();
  readonly stderr = new Socket();
  /** All of them, by descriptor. */
  readonly stdio: readonly Socket[];
  #open = 0;
  #hasEnded = false;
  #pendingSignal: NodeJS.Signals | undefined;

  /**
   * @param path the socket that the streams are connected to, in order
   * @param onLost called when the streams cannot be connected
   */
  constructor(path: string, channels: number, onLost: (error: Error) => void) {
    super();
    this.stdio = [this.stdin, this.stdout, this.stderr, ...Array.from({ length: channels }, () => new Socket())];
    for (const stream of this.stdio) {
      this.#open++;
      let isConnected = false;
      stream.once('connect', () => {
        isConnected = true;
      });
      // When the launcher dies, the streams break before that is known.
      stream.on('error', (error) => isConnected || onLost(error));
      stream.once('close', () => {
        this.#open--;
        this.#closeIfDone();
      });
      stream.connect(path);
    }
  }

  /** Signals the process and its descendants, once it has started. */
  killGroup(signal: NodeJS.Signals): void {
    if (this.pid === undefined) this.#pendingSignal = signal;
    else killGroupOf(this.pid, signal);
  }

  /** It was started. */
  began(pid: number): void {
    this.pid = pid;
    if (this.#pendingSignal) killGroupOf(pid, this.#pendingSignal);
  }

  /** It has ended. */
  ended(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.exitCode = code;
    this.signalCode = signal;
    this.stdin.destroy();
    this.emit('exit', code, signal);
    process.nextTick(() => {
      // An unread stream would never close.
      for (const stream of this.stdio.slice(1)) if (stream.readableFlowing === null && !stream.listenerCount('readable')) stream.resume();
      this.#closeIfDone();
    });
  }

  /** It was not started. */
  failed(error: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const stream of this.stdio) stream.destroy();
    this.emit('error', error);
  }

  #closeIfDone(): void {
    if (this.#open > 0 || (this.exitCode === null && this.signalCode === null)) return;
    this.#open = Number.POSITIVE_INFINITY;
    this.emit('close', this.exitCode, this.signalCode);
  }
}

/** Signals a process group by its leader. */
export function killGroupOf(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
