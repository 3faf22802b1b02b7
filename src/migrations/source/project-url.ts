import type { RemoteUrl } from '../../http/outgoing/remote-url.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { SourceError } from './errors.ts';

/** The parts of a project's URL. */
export interface ProjectUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The parts of the path, without `.git` at its end. */
  readonly parts: readonly string[];
}

/**
 * The parts of a project's URL.
 * @param least how many parts its path has at least
 * @throws SourceError for another URL
 */
export function parseProjectUrl({ url, protocol }: RemoteUrl, least: number): ProjectUrl {
  const { origin, pathname } = new URL(url);
  const parts = trimEnd(pathname, '/')
    .replace(/\.git$/, '')
    .split('/')
    .filter(Boolean);
  if (protocol === 'git' || parts.length < least) throw new SourceError('missing', 'the URL is not that of a repository on such a server');
  return { origin, parts };
}

/**
 * A part of a path without its encoding.
 * @throws SourceError for a part that is not encoded right
 */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SourceError('missing', 'the path of the URL is not encoded right');
  }
}

/** The values of `Authorization` for a name and password. */
export function basicAuthorization(credentials: { readonly username: string; readonly password: string } | undefined): string[] {
  return credentials ? [`Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`] : [];
}
