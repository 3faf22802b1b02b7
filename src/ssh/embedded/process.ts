import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LOADING_ARGUMENTS } from '../../workers/loading.ts';
import type { ConnectionOutcome, SshConnection } from '../server.ts';
import type { OrderMessage, ReportMessage } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url));
/** Packets leave buffers of 32 KB each, which a larger young generation would keep for longer. */
const SMALL = ['--max-semi-space-size=2', '--v8-pool-size=1'];

/** A process that speaks SSH. It does not keep this one alive, and ends with it. */
export class SpeakingProcess {
  /** Resolves when it can serve. */
  readonly begun: Promise<void>;
  readonly #process: ChildProcess;
  readonly #connections = new Map<number, (outcome: ConnectionOutcome) => void>();
  readonly #onFailed: (message: string, stack: string) => void;
  #lastId = 0;
  #isRunning = true;

  constructor(begin: OrderMessage, onFailed: (message: string, stack: string) => void) {
    this.#onFailed = onFailed;
    const cache = process.env.NODE_COMPILE_CACHE;
    this.#process = spawn(process.execPath, [...SMALL, ...LOADING_ARGUMENTS, PROGRAM], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', ...(cache ? { NODE_COMPILE_CACHE: cache } : {}) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.begun = promise;
    const end = (error: Error) => {
      reject(error);
      this.end();
      for (const id of [...this.#connections.keys()]) this.#ended(id, 'unused');
    };
    this.#process.on('message', (message: ReportMessage) => {
      if (!('begun' in message)) this.#receive(message);
      else if (message.begun.fault === undefined) resolve();
      else end(new Error(message.begun.fault));
    });
    this.#process.on('error', end);
    this.#process.on('exit', () => end(new Error('the process that speaks SSH has ended')));
    this.#process.send(begin, () => {});
    this.#process.unref();
    // What waits for the beginning would not wait otherwise.
    const unref = () => this.#process.channel?.unref();
    promise.then(unref, unref);
  }

  /** Whether it takes connections. */
  get isRunning(): boolean {
    return this.#isRunning && this.#process.connected;
  }

  /** Hands over a connection before anything is read from it. */
  accept(socket: Socket, address: string): Pick<SshConnection, 'ended' | 'close'> {
    const id = ++this.#lastId;
    const ended = new Promise<ConnectionOutcome>((resolve) => this.#connections.set(id, resolve));
    this.#process.send({ accept: id, address } satisfies OrderMessage, socket, {}, (error) => {
      if (error) this.#ended(id, 'unused');
    });
    return { ended, close: () => void (this.isRunning && this.#process.send({ close: id } satisfies OrderMessage, () => {})) };
  }

  /** Ends it, with all that it serves. */
  end(): void {
    this.#isRunning = false;
    if (this.#process.connected) this.#process.disconnect();
  }

  #receive(message: Exclude<ReportMessage, { begun: object }>): void {
    if ('ended' in message) this.#ended(message.ended, message.outcome);
    else this.#onFailed(message.failed, message.stack);
  }

  #ended(id: number, outcome: ConnectionOutcome): void {
    this.#connections.get(id)?.(outcome);
    this.#connections.delete(id);
  }
}
