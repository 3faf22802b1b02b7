import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { matchesName } from '../../git/trees/glob.ts';
import { http } from '../../node-http.ts';
import type { Settings } from '../../settings.ts';
import { allowedAddresses, plainHost } from './allowed-hosts.ts';

/**
 * Opens a connection to another server, through the proxy of the settings where it applies to that host. The name is resolved once, and
 * only its allowed IP addresses are connected to.
 * @throws HostNotAllowedError, or the error of the connection
 */
export async function connectOutgoing(outgoing: Settings['outgoing'], host: string, port: number): Promise<Socket> {
  const name = plainHost(host);
  const addresses = await allowedAddresses(outgoing, name);
  const { proxyUrl, proxyHosts, connectTimeout } = outgoing;
  if (proxyUrl !== null && proxyHosts.some((rule) => rule === '*' || matchesName(rule, name)))
    return await throughProxy(new URL(proxyUrl), name, port, connectTimeout);
  let failure: unknown;
  for (const { address } of addresses) {
    try {
      return await connected(address, port, connectTimeout);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connected(address: string, port: number, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeout} ms`)), timeout);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

/** Requests a tunnel from the proxy (RFC 9110, section 9.3.6). */
function throughProxy(proxy: URL, host: string, port: number, timeout: number): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const headers = { host: target, ...(username || password ? { 'proxy-authorization': `Basic ${credentials}` } : {}) };
  const send = proxy.protocol === 'https:' ? httpsRequest : http.request;
  return new Promise((resolve, reject) => {
    const request = send({
      host: plainHost(proxy.hostname),
      port: proxy.port || undefined,
      method: 'CONNECT',
      path: target,
      headers,
      timeout,
    });
    request.on('connect', (response, socket, head) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        reject(new Error(`the proxy responded ${response.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      socket.setTimeout(0);
      resolve(socket as Socket);
    });
    request.on('response', (response) => reject(new Error(`the proxy responded ${response.statusCode}`)));
    request.on('timeout', () => request.destroy(new Error(`no tunnel within ${timeout} ms`)));
    request.on('error', reject);
    request.end();
  });
}
