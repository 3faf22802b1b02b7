import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connectTarget, type GitProxy, type GitRoute, joinSockets, meterOf } from './git-proxy.ts';

/** One git process opens one connection at a time. */
const MAX_CONNECTIONS = 4;

/**
 * Starts a tunnel on the loopback interface to the host of a `git:` URL, since git supports no proxy for that protocol. It connects only
 * to that host, which gets the host name of the URL. The caller closes it.
 */
export async function gitTunnel(route: GitRoute): Promise<GitProxy> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const meter = meterOf(route, () => {
    for (const socket of sockets) socket.destroy();
  });
  const { host, port } = route.target;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    connectTarget(route, host, port).then(
      (target) => joinSockets(client, track(target), meter),
      () => client.destroy(),
    );
    track(client);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const url = new URL(route.target.url);
  const virtualHost = url.host;
  const local = `git://127.0.0.1:${(server.address() as AddressInfo).port}${url.pathname}`;
  return {
    url: local,
    config: [],
    env: { GIT_OVERRIDE_VIRTUAL_HOST: virtualHost },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
