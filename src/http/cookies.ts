import { parseCookie, stringifySetCookie } from 'cookie';

/** The value of a cookie in a `Cookie` header (RFC 6265); undefined if missing. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name];
}

/** Lifetime and path of a cookie. */
export interface CookieOptions {
  /** Only over HTTPS. */
  secure: boolean;
  path: string;
  /** Seconds; a session cookie when left out, 0 deletes it. */
  maxAge?: number | undefined;
}

/** A `Set-Cookie` header for a cookie that scripts cannot read and forms of other sites do not send. */
export function writeCookie(name: string, value: string, { secure, path, maxAge }: CookieOptions): string {
  return stringifySetCookie({ name, value, path, secure, httpOnly: true, sameSite: 'lax', ...(maxAge !== undefined && { maxAge }) });
}
