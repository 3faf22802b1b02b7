import pg from 'pg';
import type { Logger } from '../log.ts';

/** The channel of `listen` and `notify`; the payload says what it is about. */
const CHANNEL = 'copse';
/** Milliseconds until a lost connection is opened again. */
const RECONNECT_MS = 1000;

interface Options {
  url: string;
  /** Milliseconds to connect. */
  connectTimeout?: number;
  log: Logger;
  /** Called with a message of another process. */
  onMessage: (message: string) => void;
  /** Called when a connection is open: messages may have been missed before. */
  onConnected: () => void;
}

/**
 * Short messages between the processes on one PostgreSQL, over one connection outside the pool. Messages are lost while it is down, so
 * everybody who waits for one also polls. https://www.postgresql.org/docs/current/sql-notify.html
 */
export class Notifications {
  readonly #options: Options;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #connecting: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  /** Notifies the other processes, unless the connection is down. */
  async notify(messages: Iterable<string>): Promise<void> {
    for (const message of messages) {
      try {
        await this.#client?.query('select pg_notify($1, $2)', [CHANNEL, message]);
      } catch (error) {
        this.#options.log.debug({ err: error }, 'other processes could not be notified');
      }
    }
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnect);
    await this.#connecting;
    if (this.#client) await this.#end(this.#client);
  }

  /** A pooler gives its clients process ids of its own. */
  async #warnOfPooler(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === processIdOf(client)) return;
    this.#options.log.warn(
      'the connection for notifications leads through a pooler: unless that is in session mode, set DATABASE_DIRECT_URL (database.directUrl)',
    );
  }

  /** Never rejects: nothing depends on how a connection ends. */
  async #end(client: pg.Client): Promise<void> {
    try {
      await client.end();
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the connection for notifications did not end well');
    }
  }

  async #connect(): Promise<void> {
    const { url, connectTimeout, log, onMessage, onConnected } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      ...(connectTimeout && { connectionTimeoutMillis: connectTimeout }),
    });
    let isLost = false;
    const lose = (error?: Error) => {
      if (isLost) return;
      isLost = true;
      if (this.#client === client) this.#client = undefined;
      void this.#end(client);
      if (this.#isClosed) return;
      log.warn({ err: error }, 'the connection for notifications is lost');
      this.#reconnect = setTimeout(() => {
        this.#connecting = this.#connect();
      }, RECONNECT_MS).unref();
    };
    client.on('error', lose);
    client.on('end', () => lose());
    // The server also sends a process its own messages.
    client.on('notification', ({ processId, payload = '' }) => {
      if (processId !== processIdOf(client)) onMessage(payload);
    });
    try {
      await client.connect();
      await this.#warnOfPooler(client);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      lose(error as Error);
      return;
    }
    if (isLost) return;
    this.#client = client;
    onConnected();
  }
}

/** The process id of the server's end, which the client's types do not declare. */
function processIdOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}
