/** The value of a cookie in a `Cookie` header (RFC 6265); undefined where there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** How long and where a cookie is sent. */
export interface CookieOptions {
  /** Only over HTTPS. */
  secure: boolean;
  path: string;
  /** Seconds; until the browser is closed when left out, 0 removes it. */
  maxAge?: number | undefined;
}

/** A `Set-Cookie` header that no script can read and that other sites' forms do not send. The value needs no escaping. */
export function writeCookie(name: string, value: string, { secure, path, maxAge }: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', 'SameSite=Lax'];
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  if (secure) parts.push('Secure');
  return parts.join('; ');
}
