import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { OutgoingResponse } from '../../http/outgoing/outgoing.ts';
import { objectOf, textOf } from '../protocol/values.ts';
import { openCredentials } from '../upstreams/credentials.ts';
import { readBody } from '../upstreams/read-small.ts';
import { discard, sendUpstream, UpstreamError } from '../upstreams/request.ts';
import { stateOf } from '../upstreams/state.ts';

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE = 64 * 1024;
/** Default lifetime of a token in seconds: distribution specification, "Token Authentication". */
const DEFAULT_LIFETIME = 60;
const MAX_LIFETIME = 300;

/**
 * The authorization for reading an image of an upstream: a token of the server that the registry names.
 * @returns undefined for a registry without tokens: it gets the credentials themselves, if there are any
 * @throws UpstreamError
 */
export async function upstreamAuthorization(context: Context, upstream: PackageUpstreamRow, image: string): Promise<string | undefined> {
  const { tokens } = stateOf(context);
  const key = `${upstream.id} ${upstream.updated_at} ${image}`;
  const known = tokens.get(key);
  if (known !== undefined) return known || undefined;
  const challenge = await challengeOf(context, upstream);
  if (!challenge) {
    tokens.set(key, '', MAX_LIFETIME * 1000);
    return undefined;
  }
  const { realm, service } = challenge;
  const url = new URL(realm);
  url.searchParams.set('scope', `repository:${image}:pull`);
  if (service !== '') url.searchParams.set('service', service);
  const request = { url: url.href, timeout: timeoutOf(context), ...signInAt(context, upstream, url) };
  const document = parseToken(await readWhole(await sendUpstream(context, upstream, request)));
  const token = textOf(document.token) || textOf(document.access_token);
  if (!/^[\w.~+/=-]{1,16384}$/.test(token)) throw new UpstreamError('its token server returned no token');
  const lifetime = typeof document.expires_in === 'number' ? document.expires_in : DEFAULT_LIFETIME;
  // Some seconds less, for requests in progress.
  tokens.set(key, `Bearer ${token}`, Math.max(0, Math.min(lifetime, MAX_LIFETIME) - 10) * 1000);
  return `Bearer ${token}`;
}

/** The challenge of the registry: undefined if it needs no token. */
async function challengeOf(context: Context, upstream: PackageUpstreamRow): Promise<{ realm: string; service: string } | undefined> {
  const response = await sendUpstream(context, upstream, { url: `${upstream.url}/v2/`, timeout: timeoutOf(context) });
  discard(response.body);
  const header = response.headers['www-authenticate'];
  const isOwn = new URL(response.url).origin === new URL(upstream.url).origin;
  if (response.status !== 401 || typeof header !== 'string' || !isOwn) return undefined;
  const value = (name: string) => new RegExp(`(?:^Bearer\\s+|,\\s*)${name}="([^"]{0,2000})"`, 'i').exec(header)?.[1] ?? '';
  const realm = value('realm');
  return URL.canParse(realm) ? { realm, service: value('service') } : undefined;
}

/**
 * Credentials are sent to the token server only if it is the registry itself, or is in the same domain, as `auth.docker.io` for
 * `registry-1.docker.io`, and its connection is as secure.
 */
function signInAt(context: Context, upstream: PackageUpstreamRow, { protocol, hostname }: URL): { authorization?: string } {
  const registry = new URL(upstream.url);
  const domain = registry.hostname.slice(registry.hostname.indexOf('.') + 1);
  const isNear = hostname === registry.hostname || (domain.includes('.') && hostname.endsWith(`.${domain}`));
  const credentials = openCredentials(context, upstream);
  if (!credentials || !isNear || (protocol !== 'https:' && protocol !== registry.protocol)) return {};
  return { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}` };
}

async function readWhole(response: OutgoingResponse<Readable>): Promise<string> {
  if (response.status === 200) return await readBody(response.body, MAX_RESPONSE);
  discard(response.body);
  throw new UpstreamError(`its token server responded with the status ${response.status}`, { isRefused: response.status < 500 });
}

function parseToken(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    throw new UpstreamError('its token server returned no token', { cause: error });
  }
}

function timeoutOf({ settings }: Context): number {
  return Math.min(TIMEOUT_MS, settings.packages.upstreamTimeout);
}
