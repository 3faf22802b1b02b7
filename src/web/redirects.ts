const MAX_ROUNDS = 5;

/**
 * A safe redirect target: a URL within this instance; anything else becomes its front page.
 * Refuses what browsers and proxies read as another host: two slashes, backslashes, and both of them encoded.
 * @param rootUrl the URL of the instance, with a slash at the end
 */
export function safeRedirect(target: string, rootUrl: string): string {
  const front = new URL(rootUrl).pathname;
  if (!target.startsWith('/') || target.length > 4096 || /[\x00-\x20\x7f]/.test(target)) return front;
  const [path = ''] = target.split(/[?#]/, 1);
  if (isAmbiguous(path) || !URL.canParse(target, rootUrl)) return front;
  const resolved = new URL(target, rootUrl);
  const isWithin = resolved.origin === new URL(rootUrl).origin && resolved.pathname.startsWith(front);
  return isWithin && !isAmbiguous(resolved.pathname) ? resolved.pathname + resolved.search + resolved.hash : front;
}

/** Decoded as often as any program on the way might do it; deeper encoding has no honest use. */
function isAmbiguous(path: string): boolean {
  let decoded = path;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (decoded.includes('\\') || decoded.includes('//') || /[\x00-\x1f\x7f]/.test(decoded)) return true;
    const next = decoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    if (next === decoded) return false;
    decoded = next;
  }
  return true;
}
