import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The unfinished responses of a server, and whether it is stopping. */
interface State {
  readonly responses: Set<ServerResponse>;
  isDraining: boolean;
}

const states = new WeakMap<FastifyInstance, State>();
/** Milliseconds between two checks for open connections. */
const CHECK_MS = 20;

/** Makes every response of a stopping server the last one on its connection. */
export function closeWhileDraining(app: FastifyInstance): void {
  const state: State = { responses: new Set(), isDraining: false };
  states.set(app, state);
  app.addHook('onRequest', async (_, { raw }) => {
    if (state.isDraining) raw.setHeader('connection', 'close');
    state.responses.add(raw);
    raw.once('close', () => state.responses.delete(raw));
  });
}

/**
 * Closes connections before a server stops: the next response on each says that the connection ends, so no client sends a request into
 * a connection that is being closed. Resolves when all are closed, or after the timeout.
 */
export async function drain(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const state = states.get(app);
  if (state) {
    state.isDraining = true;
    // Responses in progress began before the stop; of several on one connection, the one that began last ends it.
    const last = new Map([...state.responses].map((response) => [response.req.socket, response]));
    for (const response of last.values()) if (!response.headersSent) response.setHeader('connection', 'close');
  }
  const end = performance.now() + timeoutMs;
  const isOpen = () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count > 0)));
  while (performance.now() < end && (await isOpen())) await sleep(CHECK_MS);
}
