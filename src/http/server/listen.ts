import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../settings.ts';
import { StartError } from '../../start-error.ts';

/**
 * Listens on the address and port of the settings.
 * @throws StartError when that fails
 */
export async function listen(app: FastifyInstance, { server: { host, port } }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const advice: Record<string, string> = {
      EADDRINUSE: `another program listens on port ${port} of ${host}: stop it, or set COPSE_PORT (server.port) to another port`,
      EACCES: `this user may not listen on port ${port}: set COPSE_PORT (server.port) to 1024 or more, behind a proxy`,
      EADDRNOTAVAIL: `this machine does not have the address ${host}: set COPSE_HOST (server.host) to one that it has`,
      ENOTFOUND: `the host name ${host} is not known: set COPSE_HOST (server.host) to an address of this machine`,
    };
    if (advice[code] === undefined) throw error;
    throw new StartError(advice[code], { cause: error });
  }
}
