import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterwards } from '../support/afterwards.ts';

/** A request that a receiver got. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
  json: any;
}

/** Somebody on the loopback whom hooks tell. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves when so many requests have come in all. */
  until(count: number): Promise<void>;
}

/** Starts a receiver; what `answer` throws breaks the connection off. */
export async function receiver(
  answer: (
    request: Received,
    count: number,
  ) => Promise<{ status?: number; headers?: Record<string, string>; body?: string }> = async () => ({}),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, text, json: headers['content-type'] === 'application/json' ? JSON.parse(text) : undefined };
    received.push(one);
    server.emit('received');
    try {
      const { status = 200, headers: own = {}, body = 'ok' } = await answer(one, received.length);
      response.writeHead(status, own).end(body);
    } catch {
      request.socket.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(() => {
    server.close();
    server.closeAllConnections();
  });
  const until = async (count: number) => {
    const deadline = AbortSignal.timeout(60_000);
    while (received.length < count) await once(server, 'received', { signal: deadline });
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, until };
}
