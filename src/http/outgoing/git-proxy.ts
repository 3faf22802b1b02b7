import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { http } from '../../node-http.ts';
import type { Settings } from '../../settings.ts';
import { HostNotAllowedError, plainHost } from './allowed-hosts.ts';
import { connectOutgoing } from './connect.ts';
import type { RemoteUrl } from './remote-url.ts';
import { unreachable } from './unreachable.ts';

/** A transfer from another server had more bytes than `migrations.maxSize`. */
export class RemoteTooLargeError extends Error {
  override readonly name = 'RemoteTooLargeError';
}

/** The reason why connections were cut, which replaces git's own message. */
export interface Cut {
  reason: Error | undefined;
}

/** The host that git may connect to, and how many bytes it may receive. */
export interface GitRoute {
  readonly rules: Settings['outgoing'];
  readonly target: RemoteUrl;
  readonly cut: Cut;
  readonly maxBytes: number;
}

/** A proxy or tunnel, and how git uses it. */
export interface GitProxy {
  readonly url: string;
  readonly config: readonly (readonly [key: string, value: string])[];
  readonly env: Readonly<Record<string, string>>;
  /** Closes all connections and the port. */
  readonly close: () => Promise<void>;
}

/** git requests at most five things at one time (`http.maxRequests`), and repeats a request with credentials. */
const MAX_CONNECTIONS = 8;

/** Headers that concern one connection (RFC 9110, section 7.6.1), or the proxy. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Starts a proxy on the loopback interface for one git process, with a password. It connects only to the host of the route's URL.
 * The caller closes it.
 */
export async function gitProxy(route: GitRoute): Promise<GitProxy> {
  const secret = randomBytes(24).toString('hex');
  const expected = Buffer.from(`Basic ${Buffer.from(`git:${secret}`).toString('base64')}`);
  const sockets = new Set<Duplex>();
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const meter = meterOf(route, () => {
    for (const socket of sockets) socket.destroy();
  });
  const isKnown = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const open = async (host: string, port: number) => track(await connectTarget(route, host, port));

  const server = http.createServer((request, response) => {
    if (!isKnown(request)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="git"' }).end();
    // What was cut has its reason; a server that hangs up is one that sent nothing, to git as well.
    forward(request, response, open, meter).catch(() =>
      route.cut.reason && !response.headersSent ? response.writeHead(403).end() : response.destroy(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', track);
  server.on('connect', (request, socket, head) => {
    track(socket);
    if (!isKnown(request))
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="git"\r\n\r\n');
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(request.url ?? '') ?? [];
    open(host, Number(port)).then(
      (target) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) target.write(head);
        joinSockets(socket, target, meter);
      },
      () => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: route.target.url,
    config: [
      ['http.proxy', `http://git:${secret}@127.0.0.1:${port}`],
      ['http.proxyAuthMethod', 'basic'],
    ],
    env: {},
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Connects to the host of the route, and records the reason if that fails.
 * @throws HostNotAllowedError for another host, and for one that the rules refuse
 */
export async function connectTarget({ rules, target, cut }: GitRoute, host: string, port: number): Promise<Socket> {
  const start = performance.now();
  try {
    const isUpgrade = target.protocol === 'http' && target.port === 80 && port === 443;
    if (plainHost(host) !== target.host || (port !== target.port && !isUpgrade))
      throw new HostNotAllowedError(`a redirect to another host, ${plainHost(host)}, is not followed`);
    return await connectOutgoing(rules, host, port);
  } catch (error) {
    cut.reason ??= unreachable({ ...target, port }, error, Math.round(performance.now() - start));
    throw error;
  }
}

/** Counts the bytes received from the other server, and cuts all connections when there are too many. */
export type Meter = (bytes: number) => void;

/** @param cutAll ends the connections of the route */
export function meterOf({ target, cut, maxBytes }: GitRoute, cutAll: () => void): Meter {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total <= maxBytes) return;
    cut.reason ??= new RemoteTooLargeError(`the transfer from ${target.host} has more than ${maxBytes} bytes`);
    cutAll();
  };
}

/** Copies data in both directions until one side ends. */
export function joinSockets(client: Duplex, target: Duplex, meter: Meter): void {
  target.on('data', (chunk: Buffer) => meter(chunk.length));
  client.pipe(target).pipe(client);
  client.on('close', () => target.destroy());
  target.on('close', () => client.destroy());
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  open: (host: string, port: number) => Promise<Socket>,
  meter: Meter,
): Promise<void> {
  const url = new URL(request.url ?? '');
  if (url.protocol !== 'http:') throw new HostNotAllowedError(`${url.protocol} is not forwarded`);
  const socket = await open(url.hostname, Number(url.port || 80));
  const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  await new Promise<void>((resolve, reject) => {
    const sent = http.request({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(headers),
        host: url.host,
        connection: 'close',
        ...(isChunked && { 'transfer-encoding': 'chunked' }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (incoming) => {
      const passed = Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.has(name));
      response.writeHead(incoming.statusCode ?? 502, Object.fromEntries(passed));
      incoming.on('data', (chunk: Buffer) => meter(chunk.length));
      incoming.on('error', reject).on('end', resolve).pipe(response);
    });
    response.on('close', () => sent.destroy());
    request.on('error', reject).pipe(sent);
  });
}
