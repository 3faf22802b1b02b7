import { parseCookie, stringifySetCookie } from 'cookie';

/** The value of a cookie in a `Cookie` header (RFC 6265); undefined where there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name];
}

/** How long and where a cookie is sent. */
export interface CookieOptions {
  /** Only over HTTPS. */
  secure: boolean;
  path: string;
  /** Seconds; until the browser is closed when left out, 0 removes it. */
  maxAge?: number | undefined;
}

/** A `Set-Cookie` header that no script can read and that other sites' forms do not send. */
export function writeCookie(name: string, value: string, { secure, path, maxAge }: CookieOptions): string {
  return stringifySetCookie({ name, value, path, secure, httpOnly: true, sameSite: 'lax', ...(maxAge !== undefined && { maxAge }) });
}
