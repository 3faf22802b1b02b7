import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { Services } from '../../context.ts';
import { COPSE_VERSION } from '../../instance/version.ts';
import type { HostKey } from '../host-keys.ts';
import type { SshServer } from '../server.ts';
import type { SshCommands } from '../session.ts';
import { offeredAlgorithms } from './algorithms.ts';
import { serveConnection } from './connection.ts';
import { preferGcm } from './prefer-gcm.ts';

/** Turns off the keepalives of ssh2, with which no client would ever be idle: the longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * The server in this process.
 * @throws Error for host keys and algorithms that it does not support
 */
export function createEmbeddedServer(services: Services, commands: SshCommands, hostKeys: readonly HostKey[]): SshServer {
  const server = new ssh2.Server({
    hostKeys: usable(hostKeys).map(({ privateKey }) => privateKey),
    algorithms: offeredAlgorithms(services.settings),
    ident: `Copse_${COPSE_VERSION}`,
    keepaliveInterval: NEVER_MS,
  });
  const begin = new Map<string, (connection: ssh2.Connection) => void>();
  server.on('connection', (connection, { ip, port, header }) => {
    const began = begin.get(`${ip} ${port}`);
    if (began) {
      preferGcm(connection, header.versions.software);
      began(connection);
    } else connection.on('error', () => {}).end();
  });
  return {
    name: 'embedded',
    accept: (socket: Socket, address: string) => {
      const key = `${socket.remoteAddress} ${socket.remotePort}`;
      const served = serveConnection(services, commands, { socket, address });
      begin.set(key, served.begin);
      void served.ended.then(() => begin.delete(key));
      server.injectSocket(socket);
      return served;
    },
    close: async () => {},
  };
}

/** Leaves out the RSA key if there is another one, because ssh2 would also offer its signatures with SHA-1. */
function usable(hostKeys: readonly HostKey[]): readonly HostKey[] {
  const others = hostKeys.filter(({ path }) => !path.endsWith('_rsa_key'));
  return others.length > 0 ? others : hostKeys;
}
