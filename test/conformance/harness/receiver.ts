import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Delivery {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json?: unknown;
}

/** An HTTP server on the loopback that webhooks are sent to. */
export interface Receiver {
  readonly url: string;
  /** The next delivery, or null when none came in time. */
  next(timeoutMs?: number): Promise<Delivery | null>;
  close(): Promise<void>;
}

/** What a receiver responds. */
export type Respond = (delivery: Delivery) => { status: number; body: string };

/** Starts a receiver; deliveries are handed over in their order. */
export async function startReceiver(respond: Respond = () => ({ status: 200, body: 'ok' })): Promise<Receiver> {
  const queue: Delivery[] = [];
  const waiting: ((delivery: Delivery) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const delivery: Delivery = { method: request.method, path: request.url, headers: request.headers, text };
      try {
        delivery.json = JSON.parse(text);
      } catch {
        // A form, or nothing.
      }
      const { status, body } = respond(delivery);
      response.writeHead(status).end(body);
      const taker = waiting.shift();
      if (taker) taker(delivery);
      else queue.push(delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const next = (timeoutMs = 15_000) => {
    const first = queue.shift();
    if (first) return Promise.resolve(first);
    return new Promise<Delivery | null>((resolve) => {
      const taker = (delivery: Delivery) => {
        clearTimeout(timer);
        resolve(delivery);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(taker), 1);
        resolve(null);
      }, timeoutMs);
      waiting.push(taker);
    });
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next, close };
}
