import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The responses that a server has not ended yet, and whether it is about to stop. */
interface State {
  readonly responses: Set<ServerResponse>;
  isDraining: boolean;
}

const states = new WeakMap<FastifyInstance, State>();
/** Milliseconds between two looks for open connections. */
const CHECK_MS = 20;

/** Makes every response of a server that is about to stop the last one on its connection. */
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
 * Lets clients leave before a server stops: their next response says that its connection ends, so that none of them sends a request into
 * a connection that is being closed. Resolves when all have left, or after so many milliseconds.
 */
export async function drain(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const state = states.get(app);
  if (state) {
    state.isDraining = true;
    // Requests under way began before anybody knew that they are the last; of several on one connection, the one that came last is.
    const last = new Map([...state.responses].map((response) => [response.req.socket, response]));
    for (const response of last.values()) if (!response.headersSent) response.setHeader('connection', 'close');
  }
  const end = performance.now() + timeoutMs;
  const isOpen = () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count > 0)));
  while (performance.now() < end && (await isOpen())) await sleep(CHECK_MS);
}
