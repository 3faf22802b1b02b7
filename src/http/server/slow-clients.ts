import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The minimum speed of clients. */
export interface SlowClientLimits {
  /** Milliseconds over which bytes are counted. */
  readonly idleTimeout: number;
  /** Bytes per second, on average over that time. */
  readonly minimumRate: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When the counts were taken, in milliseconds. */
  since: number;
  counts: Counts;
}

interface Counts {
  readonly received: number;
  readonly sent: number;
  readonly queued: number;
}

const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/**
 * Closes the connections of clients that neither send the rest of their request nor read their response: each of them holds memory,
 * processes and permits that others wait for. If the server itself is slow, no connection is closed.
 */
export class SlowClients {
  readonly #limits: SlowClientLimits;
  readonly #exchanges = new Set<Exchange>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: SlowClientLimits) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#check(), Math.max(10, limits.idleTimeout / 4)).unref();
  }

  /** Watches a request until its response has ended. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const exchange = { request, response, since: performance.now(), counts: countsOf(request.socket) };
    this.#exchanges.add(exchange);
    response.once('close', () => this.#exchanges.delete(exchange));
  }

  /** Stops watching all requests. */
  stop(): void {
    clearInterval(this.#timer);
    this.#exchanges.clear();
  }

  #check(): void {
    const { idleTimeout, minimumRate } = this.#limits;
    const time = performance.now();
    for (const exchange of this.#exchanges) {
      const elapsed = time - exchange.since;
      if (elapsed < idleTimeout) continue;
      const { request, response, counts: before } = exchange;
      const counts = countsOf(request.socket);
      const least = (minimumRate * elapsed) / 1000;
      // Unread bytes here wait for the server, not for the client.
      const isSending = !request.complete && !request.destroyed && request.readableLength === 0;
      if (isSending && counts.received - before.received < least) endRequest(request, response);
      else if (request.socket.writableLength > 0 && sentBetween(before, counts) < least) request.socket.destroy();
      exchange.since = time;
      exchange.counts = counts;
    }
  }
}

function countsOf(socket: Socket): Counts {
  const { bytesRead, bytesWritten = 0, writableLength } = socket;
  // Of one large chunk, only the handle knows how much the kernel has taken.
  const handle = (socket as { _handle?: { writeQueueSize?: number } | null })._handle;
  return { received: bytesRead, sent: bytesWritten - writableLength, queued: handle?.writeQueueSize ?? 0 };
}

function sentBetween(before: Counts, after: Counts): number {
  return after.sent - before.sent + Math.max(0, before.queued - after.queued);
}

function endRequest(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent && request.socket.writable) request.socket.write(TIMEOUT_RESPONSE);
  request.destroy(new Error('the client was too slow to send its request'));
}
