import { isIP } from 'node:net';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';
import { badRequest } from '../../http/errors.ts';

const MAX_URIS = 100;
const MAX_URI_LENGTH = 2048;
/** Schemes that a browser would run instead of leaving the page. */
const UNSAFE_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:', 'filesystem:'];

/**
 * Validates the redirect URIs of an application: absolute, without a fragment (RFC 6749, section 3.1.2), and with no scheme
 * that a browser would run.
 * @throws HttpError 400
 */
export function checkRedirectUris(uris: readonly string[]): void {
  if (uris.length > MAX_URIS) throw badRequest(`an application has at most ${MAX_URIS} redirect URIs`);
  for (const uri of uris) if (!isAllowed(uri)) throw badRequest(`invalid redirect URI: ${uri.slice(0, 200)}`);
}

function isAllowed(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || /[\x00-\x20\x7f\\#]/.test(uri) || !URL.canParse(uri)) return false;
  return !UNSAFE_SCHEMES.includes(new URL(uri).protocol);
}

/**
 * Whether users may be redirected to `uri`: it is one of those registered, ignoring case and a slash at the end.
 * Native applications listen on any port of the loopback (RFC 8252, section 7.3).
 */
export function acceptsRedirect(application: Pick<OAuth2Application, 'redirect_uris' | 'is_confidential'>, uri: string): boolean {
  if (!isAllowed(uri)) return false;
  const given = application.is_confidential ? [uri] : [uri, ...withoutLoopbackPort(uri)];
  const registered = application.redirect_uris.map(comparable);
  return given.some((candidate) => registered.includes(comparable(candidate)));
}

function comparable(uri: string): string {
  return uri.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\/$/, '');
}

function withoutLoopbackPort(uri: string): string[] {
  const [, host = '', rest = ''] = /^http:\/\/(\[[0-9a-f:]+\]|[\d.]+):\d{1,5}((?:[/?].*)?)$/i.exec(uri) ?? [];
  const address = host.replace(/^\[|\]$/g, '');
  const isLoopback = (isIP(address) === 4 && address.startsWith('127.')) || address === '::1';
  return isLoopback ? [`http://${host}${rest}`] : [];
}
