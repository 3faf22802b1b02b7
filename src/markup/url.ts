/** A URL reference in parts, as RFC 3986 cuts it; each part is kept as written. */
export interface UrlParts {
  /** In lower case, without colon; empty for a relative reference. */
  scheme: string;
  /** What follows `//`, or undefined without one. */
  authority: string | undefined;
  path: string;
  query: string | undefined;
  fragment: string | undefined;
}

const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/** Cuts `text` into its parts; undefined when it is not a URL reference: control characters, broken escapes, `a:b` with no scheme before the colon. */
export function parseUrl(text: string): UrlParts | undefined {
  if (/[\x00-\x1f\x7f]/.test(text)) return undefined;
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? undefined : text.slice(hash + 1);
  let rest = hash < 0 ? text : text.slice(0, hash);
  if (fragment !== undefined && BAD_ESCAPE.test(fragment)) return undefined;
  const scheme = SCHEME.exec(rest)?.[1] ?? '';
  if (scheme) rest = rest.slice(scheme.length + 1);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? undefined : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (!scheme && (rest.split('/', 1)[0] ?? '').includes(':')) return undefined;
    return { scheme: scheme.toLowerCase(), authority: undefined, path: rest, query, fragment };
  }
  let authority: string | undefined;
  if (rest.startsWith('//') && (scheme || !rest.startsWith('///'))) {
    const end = rest.indexOf('/', 2);
    authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
    if (!isAuthority(authority)) return undefined;
  }
  if (BAD_ESCAPE.test(rest)) return undefined;
  return { scheme: scheme.toLowerCase(), authority, path: rest, query, fragment };
}

/** Whether a user, host and port are written with the characters they may have; escapes in a host stand for what is not ASCII. */
function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at >= 0 && !/^[\w\-.:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return false;
  if (host.includes('[')) return /^\[[\da-f:.]+(?:%25[\w.~-]+)?\](?::\d*)?$/i.test(host);
  return !/[\s\\^`{|}@]/.test(host) && !/%(?![89a-fA-F][0-9a-fA-F]|25)/.test(host) && !/:(?!\d*$)[^\]]*$/.test(host);
}

/** A path with every character escaped that may not stand in one. */
export function escapePath(path: string): string {
  if (/^[\w\-.~$&+,/:;=@!'()*[\]%]*$/.test(path)) return path;
  return path.replace(/%[0-9a-fA-F]{2}|[^\w\-.~$&+,/:;=@]/gu, (part) => (part.length === 3 && part[0] === '%' ? part : percent(part)));
}

function percent(text: string): string {
  let escaped = '';
  for (const byte of Buffer.from(text)) escaped += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return escaped;
}

/** One segment of a path, escaped, `/` too. */
export function escapeSegment(segment: string): string {
  return segment.replace(/[^\w\-.~$&+:=@]/gu, percent);
}

/** The parts written as one URL again, with path and fragment escaped. */
export function formatUrl(parts: UrlParts): string {
  let url = parts.scheme ? `${parts.scheme}:` : '';
  // A scheme alone is written without the slashes that announce a host.
  if (parts.authority || (parts.authority === '' && parts.path !== '')) url += `//${escapeAuthority(parts.authority)}`;
  // What follows a scheme without slashes (mailto:…) has no path of segments and stays as it is.
  url += parts.scheme && parts.authority === undefined && !parts.path.startsWith('/') ? parts.path : escapePath(parts.path);
  if (parts.query !== undefined) url += `?${parts.query}`;
  if (parts.fragment) url += `#${escapeFragment(parts.fragment)}`;
  return url;
}

/** A fragment, escaped as a whole when a character in it may not stand there. */
function escapeFragment(fragment: string): string {
  if (/^[\w\-.~$&+,/:;=?@!()*'[\]%]*$/.test(fragment)) return fragment;
  return fragment.replace(/%[0-9a-fA-F]{2}|[^\w\-.~$&+,/:;=?@!()*]/gu, (part) =>
    part.length === 3 && part[0] === '%' ? part : percent(part),
  );
}

const escapeAuthority = (authority: string): string =>
  /^[\x21-\x7e]*$/.test(authority) ? authority : authority.replace(/[^\x21-\x7e]/gu, percent);

/** The parts joined with slashes, `.`, `..` and doubled slashes resolved; never climbs above the start. */
export function joinPath(...parts: string[]): string {
  const joined = parts.filter(Boolean).join('/');
  const out: string[] = [];
  for (const segment of joined.split('/')) {
    if (segment === '..') out.pop();
    else if (segment && segment !== '.') out.push(segment);
  }
  return (joined.startsWith('/') ? '/' : '') + out.join('/');
}
