import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { matchesName } from '../../git/trees/glob.ts';
import type { Settings } from '../../settings.ts';
import { traced } from '../../tracing/operations.ts';
import { allowedAddresses, HostNotAllowedError, isAllowed, plainHost } from './allowed-hosts.ts';

/** A request to another server. */
export interface OutgoingOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A stream is sent once: a redirect that would need it again is an error. */
  body?: string | Uint8Array | Readable;
  /** Milliseconds for the whole request; `outgoing.timeout` when left out. */
  timeout?: number;
  /** Size limit of the response in bytes; `outgoing.maxResponse` when left out. */
  maxResponse?: number;
  /** `outgoing.maxRedirects` when left out; with 0 a redirect is returned as the response. */
  maxRedirects?: number;
  /** Whether the certificate has to be valid; the default is true. */
  verifyCertificates?: boolean;
  signal?: AbortSignal;
}

/** The response of another server. */
export interface OutgoingResponse<B> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: B;
  /** The URL of the response, after redirects. */
  url: string;
}

/** The response is larger than the limit. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** Headers that are sent only to the original server. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'signature'];
/** The client is large and most instances send no requests: it is loaded with the first one. */
const client = () => import('undici');

const agents = new WeakMap<Settings['outgoing'], Map<string, Dispatcher>>();

/**
 * Sends a request and reads the whole response.
 * @throws HostNotAllowedError, ResponseTooLargeError, or the error of the connection
 */
export async function fetchOutgoing(
  settings: Pick<Settings, 'outgoing'>,
  address: string,
  options: OutgoingOptions = {},
): Promise<OutgoingResponse<Buffer>> {
  const limit = options.maxResponse ?? settings.outgoing.maxResponse;
  const response = await openOutgoing(settings, address, options);
  const chunks: Buffer[] = [];
  let size = 0;
  // A declared length is enough to refuse the response with its first bytes.
  const declared = Number(response.headers['content-length'] ?? 0);
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (Math.max(size, declared) > limit)
      throw new ResponseTooLargeError(`the response of ${new URL(response.url).host} has more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return { ...response, body: Buffer.concat(chunks, size) };
}

/**
 * Sends a request and resolves as soon as the headers are there; the caller reads the body, with its own limit, or destroys it.
 * Redirects are followed, and each target is checked again.
 * @throws HostNotAllowedError, or the error of the connection
 */
export function openOutgoing(
  settings: Pick<Settings, 'outgoing'>,
  address: string,
  options: OutgoingOptions = {},
): Promise<OutgoingResponse<Readable>> {
  const attributes = { 'server.address': URL.parse(address)?.host ?? '' };
  return traced(`outgoing ${options.method ?? 'GET'}`, attributes, () => followRedirects(settings, address, options), 'client');
}

async function followRedirects(
  { outgoing }: Pick<Settings, 'outgoing'>,
  address: string,
  options: OutgoingOptions,
): Promise<OutgoingResponse<Readable>> {
  const deadline = AbortSignal.timeout(options.timeout ?? outgoing.timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const maxRedirects = options.maxRedirects ?? outgoing.maxRedirects;
  let url = new URL(address);
  let { method = 'GET', body, headers = {} } = options;
  for (let redirects = 0; ; redirects++) {
    const dispatcher = await dispatcherFor(outgoing, url, options.verifyCertificates ?? true);
    const sent = { ...headers, 'accept-encoding': 'identity' };
    const { request } = await client();
    const response = await request(url, { method: method as Dispatcher.HttpMethod, headers: sent, body: body ?? null, signal, dispatcher });
    const location = response.headers.location;
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode) && typeof location === 'string' && maxRedirects > 0;
    if (!isRedirect) return { status: response.statusCode, headers: response.headers, body: response.body, url: url.href };
    response.body.on('error', () => {}).destroy();
    if (redirects >= maxRedirects) throw new Error(`more than ${maxRedirects} redirects from ${new URL(address).host}`);
    if (body instanceof Readable && response.statusCode !== 303) throw new Error(`${url.host} redirects what is sent to it`);
    const next = new URL(location, url);
    if (next.origin !== url.origin) headers = withoutSecrets(headers);
    if (response.statusCode === 303 || (response.statusCode < 303 && method === 'POST')) {
      method = method === 'HEAD' ? 'HEAD' : 'GET';
      body = undefined;
      headers = withoutContent(headers);
    }
    url = next;
  }
}

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())));
}

function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(content-|digest$)/i.test(name)));
}

/** @throws HostNotAllowedError for a protocol other than HTTP, and for a host that is not allowed */
async function dispatcherFor(outgoing: Settings['outgoing'], url: URL, verify: boolean): Promise<Dispatcher> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new HostNotAllowedError(`${url.protocol} addresses are not reached`);
  const host = plainHost(url.hostname);
  // Connections to IP addresses have no lookup; a proxy looks names up itself.
  const proxied = outgoing.proxyUrl !== null && outgoing.proxyHosts.some((rule) => rule === '*' || matchesName(rule, host));
  if (proxied || isIP(host) !== 0) await allowedAddresses(outgoing, host);
  const kind = `${proxied ? 'proxy' : 'direct'} ${verify}`;
  const known = agents.get(outgoing) ?? new Map<string, Dispatcher>();
  agents.set(outgoing, known);
  const made = known.get(kind) ?? (await makeAgent(outgoing, proxied, verify));
  known.set(kind, made);
  return made;
}

async function makeAgent(outgoing: Settings['outgoing'], proxied: boolean, verify: boolean): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await client();
  const common = { allowH2: false, headersTimeout: outgoing.timeout, bodyTimeout: outgoing.timeout, keepAliveTimeout: 4000 };
  const { proxyUrl, connectTimeout: timeout } = outgoing;
  if (proxied && proxyUrl !== null)
    return new ProxyAgent({ uri: proxyUrl, proxyTunnel: true, requestTls: { rejectUnauthorized: verify, timeout }, ...common });
  return new Agent({ ...common, connect: { lookup: checkedLookup(outgoing), timeout, rejectUnauthorized: verify } });
}

/** Resolves a name to its allowed IP addresses: only those are connected to. */
function checkedLookup(outgoing: Settings['outgoing']): LookupFunction {
  return (hostname, options, callback) => {
    allowedAddresses(outgoing, hostname).then(
      (found) => {
        const wanted = found.filter(
          ({ family, address }) => (!options.family || options.family === family) && isAllowed(outgoing, hostname, address),
        );
        const first = wanted[0];
        if (!first) callback(new HostNotAllowedError(`the host ${hostname} may not be reached`), '', 0);
        else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
