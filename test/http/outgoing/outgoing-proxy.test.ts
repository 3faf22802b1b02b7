import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import { fetchOutgoing } from '../../../src/http/outgoing/outgoing.ts';
import { afterwards } from '../../support/afterwards.ts';
import { testSettings } from '../../support/settings.ts';

const received: string[] = [];
const target = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.end('ok');
});
const targetPort = await listen(target);

const tunnels: { host: string | undefined; authorization: string | undefined }[] = [];
const sockets = new Set<Socket>();
/** A proxy for which every host is the target. */
const proxy = createServer((_, response) => response.writeHead(400).end()).on('connect', (request, socket: Socket) => {
  tunnels.push({ host: request.url, authorization: request.headers['proxy-authorization'] });
  const onward = connect(targetPort, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  for (const one of [socket, onward]) sockets.add(one.on('error', () => {}));
});
const proxyPort = await listen(proxy);

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const settingsWith = (outgoing: object) =>
  testSettings({ outgoing: { ...testSettings().outgoing, proxyUrl: `http://user:p%40ss@127.0.0.1:${proxyPort}`, ...outgoing } });

describe('outgoing requests through a proxy', () => {
  beforeEach(() => {
    received.length = 0;
    tunnels.length = 0;
  });

  it('sign in to the proxy, which connects to the host that they name', async () => {
    const settings = settingsWith({ allowedHosts: ['external'] });
    const { status, body } = await fetchOutgoing(settings, 'http://8.8.8.8/path?x=1');
    assert.deepEqual([status, body.toString(), received], [200, 'ok', ['GET /path?x=1']]);
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    assert.deepEqual(tunnels, [{ host: '8.8.8.8:80', authorization }]);
  });

  it('go directly to hosts that the proxy is not for', async () => {
    const settings = settingsWith({ allowedHosts: ['loopback', 'external'], proxyHosts: ['8.8.*'] });
    await fetchOutgoing(settings, `http://127.0.0.1:${targetPort}/direct`);
    assert.deepEqual([received, tunnels], [['GET /direct'], []]);
    await fetchOutgoing(settings, 'http://8.8.4.4/proxied');
    assert.deepEqual([received, tunnels.length], [['GET /direct', 'GET /proxied'], 1]);
  });

  it('reach nothing through it that may not be reached', async () => {
    const settings = settingsWith({ allowedHosts: ['external'], blockedHosts: ['8.8.4.4'] });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', '8.8.4.4']) {
      await assert.rejects(fetchOutgoing(settings, `http://${host}:${targetPort}/`), { name: 'HostNotAllowedError' }, host);
    }
    assert.deepEqual([received, tunnels], [[], []]);
  });
});
