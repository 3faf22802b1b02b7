import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Servers that are about to stop. */
const draining = new WeakSet<FastifyInstance>();
/** Milliseconds between two looks for open connections. */
const CHECK_MS = 20;

/** Makes every response of a server that is about to stop the last one on its connection. */
export function closeWhileDraining(app: FastifyInstance): void {
  app.addHook('onRequest', async (_, reply) => {
    if (draining.has(app)) reply.header('connection', 'close');
  });
}

/**
 * Lets clients leave before a server stops: their next response says that its connection ends, so that none of them sends a request into
 * a connection that is being closed. Resolves when all have left, or after so many milliseconds.
 */
export async function drain(app: FastifyInstance, timeoutMs: number): Promise<void> {
  draining.add(app);
  const end = performance.now() + timeoutMs;
  const isOpen = () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count > 0)));
  while (performance.now() < end && (await isOpen())) await sleep(CHECK_MS);
}
