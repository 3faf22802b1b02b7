import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { SshServer } from '../server.ts';
import { offeredAlgorithms } from './algorithms.ts';
import type { SshBackend } from './backend.ts';
import { serveConnection } from './connection.ts';
import { preferGcm } from './prefer-gcm.ts';

/** Turns off the keepalives of ssh2, with which no client would ever be idle: the longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Speaks SSH in this process.
 * @param identity the name and version for clients
 * @throws Error for host keys and algorithms that it does not support
 */
export function speakSsh(backend: SshBackend, hostKeys: readonly Buffer[], identity: string): SshServer {
  const server = new ssh2.Server({
    hostKeys: [...hostKeys],
    algorithms: offeredAlgorithms(backend.settings),
    ident: identity,
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
      const served = serveConnection(backend, { socket, address, port: socket.remotePort ?? 0 });
      begin.set(key, served.begin);
      void served.ended.then(() => begin.delete(key));
      server.injectSocket(socket);
      return served;
    },
    close: async () => {},
  };
}
