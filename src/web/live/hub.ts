import { Readable } from 'node:stream';
import { subjects } from '../../processes/subjects.ts';
import { ANYTHING, type WakeUps } from '../../processes/wake-ups.ts';

/** Connections of one user in one process, and of all. */
export const MAX_OF_USER = 12;
export const MAX_OF_PROCESS = 2000;
/** Proxies end connections on which nothing comes. */
const HEARTBEAT_MS = 25_000;
/** Then the browser connects again, and is looked at again. */
const LIFETIME_MS = 15 * 60_000;
/** Bytes that a browser has not taken, from which on it is given up. */
const MAX_UNSENT = 16_384;

/** The subjects that a connection follows. */
export interface Follower {
  readonly userId: number;
  readonly subjects: readonly string[];
  /** The owners of its subjects: when permissions change there, it must check again. */
  readonly ownerIds: readonly number[];
}

interface Connection {
  readonly userId: number;
  readonly followed: ReadonlySet<string>;
  /** Closes it. */
  readonly ending: ReadonlySet<string>;
  readonly stream: Readable;
  readonly until: number;
}

/**
 * The open connections of this process (server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html). They carry
 * only which subject has changed: the page requests it with its own permissions. No query is made for a change.
 */
export class LiveHub {
  readonly #connections = new Set<Connection>();
  readonly #bySubject = new Map<string, Set<Connection>>();
  readonly #ofUser = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(wakeUps: WakeUps) {
    wakeUps.onNotify((subject) => this.#changed(subject));
    wakeUps.on('stop', () => this.#endAll());
  }

  /** A new connection; undefined if there are too many. */
  open({ userId, subjects: wanted, ownerIds }: Follower): Readable | undefined {
    const count = this.#ofUser.get(userId) ?? 0;
    if (this.#isStopped || count >= MAX_OF_USER || this.#connections.size >= MAX_OF_PROCESS) return undefined;
    const stream = new Readable({ read: () => {} });
    const followed = new Set([subjects.notifications(userId), ...wanted]);
    const ending = new Set([subjects.signIns(userId), ...ownerIds.map(subjects.access)]);
    const connection = { userId, followed, ending, stream, until: Date.now() + LIFETIME_MS };
    this.#connections.add(connection);
    this.#ofUser.set(userId, count + 1);
    for (const subject of [...followed, ...ending])
      this.#bySubject.set(subject, (this.#bySubject.get(subject) ?? new Set()).add(connection));
    stream.once('close', () => this.#forget(connection));
    // Browsers that lose the connection wait so long, not all the same.
    stream.push(`retry: ${3000 + Math.floor(Math.random() * 4000)}\n\n`);
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    return stream;
  }

  /** How many connections there are. */
  get size(): number {
    return this.#connections.size;
  }

  #changed(subject: string): void {
    const concerned = subject === ANYTHING ? this.#connections : (this.#bySubject.get(subject) ?? []);
    for (const connection of [...concerned]) {
      if (connection.ending.has(subject)) end(connection);
      else send(connection, `event: changed\ndata: ${subject}\n\n`);
    }
  }

  #beat(): void {
    const time = Date.now();
    for (const connection of [...this.#connections]) {
      if (connection.until < time) end(connection);
      else send(connection, ':\n\n');
    }
  }

  #endAll(): void {
    this.#isStopped = true;
    for (const connection of [...this.#connections]) end(connection);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    const left = (this.#ofUser.get(connection.userId) ?? 1) - 1;
    if (left > 0) this.#ofUser.set(connection.userId, left);
    else this.#ofUser.delete(connection.userId);
    for (const subject of [...connection.followed, ...connection.ending]) {
      const concerned = this.#bySubject.get(subject);
      concerned?.delete(connection);
      if (concerned?.size === 0) this.#bySubject.delete(subject);
    }
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function send({ stream }: Connection, text: string): void {
  if (stream.readableLength > MAX_UNSENT) stream.destroy();
  else stream.push(text);
}

function end({ stream }: Connection): void {
  stream.push(null);
}

const hubs = new WeakMap<WakeUps, LiveHub>();

/** The hub of this process. */
export function hubOf({ wakeUps }: { readonly wakeUps: WakeUps }): LiveHub {
  const hub = hubs.get(wakeUps) ?? new LiveHub(wakeUps);
  hubs.set(wakeUps, hub);
  return hub;
}
