import type { Settings } from '../../settings.ts';
import { allowedAddresses, plainHost } from './allowed-hosts.ts';

/** The user name and password for another server. */
export interface RemoteCredentials {
  readonly username: string;
  readonly password: string;
}

/** The URL of a repository on another server. */
export interface RemoteUrl {
  /** Without credentials. */
  readonly url: string;
  readonly protocol: 'http' | 'https' | 'git';
  /** An IPv6 address is without brackets. */
  readonly host: string;
  readonly port: number;
  /** The credentials in the URL. */
  readonly credentials?: RemoteCredentials;
}

/**
 * Why a URL is refused: `local` for a path of this machine, `protocol` for an unsupported protocol, `url` for a malformed URL, `host` for
 * a host that is not allowed.
 */
export type RemoteUrlFault = 'local' | 'protocol' | 'url' | 'host';

/** A URL is not one of a repository that may be fetched from or pushed to. */
export class RemoteUrlError extends Error {
  override readonly name = 'RemoteUrlError';
  readonly fault: RemoteUrlFault;
  /** Empty if the URL has none. */
  readonly host: string;
  constructor(fault: RemoteUrlFault, host: string, message: string) {
    super(message);
    this.fault = fault;
    this.host = host;
  }
}

const DEFAULT_PORTS = { http: 80, https: 443, git: 9418 } as const;
const MAX_LENGTH = 2048;
const MAX_CREDENTIAL = 4096;

/**
 * Reads the URL of a repository on another server. Only `http`, `https` and `git` are allowed: no paths, no `file:`, no `ext::`.
 * @throws RemoteUrlError
 */
export function parseRemoteUrl(text: string): RemoteUrl {
  const trimmed = text.trim();
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed) ?? [];
  // The short form of SSH, `git@host:path`.
  if (/^[\w.-]+@[\w.-]+:/.test(trimmed)) throw new RemoteUrlError('url', trimmed.slice(0, MAX_LENGTH), 'not the URL of a repository');
  if (scheme === '' || scheme.toLowerCase() === 'file')
    throw new RemoteUrlError('local', '', 'paths of this server are not repositories to fetch');
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const protocol = url?.protocol.slice(0, -1) ?? scheme.toLowerCase();
  if (protocol !== 'http' && protocol !== 'https' && protocol !== 'git')
    throw new RemoteUrlError('protocol', url?.host ?? '', `the protocol ${protocol} is not used between servers`);
  // After git's decoding, a line break would begin another line of its protocol.
  // Without a host, `URL` would take the first part of the path as the host.
  const hasHost = /^[a-z]+:\/\/[^/]/i.test(trimmed);
  const isUsable = url && hasHost && url.hostname !== '' && trimmed.length <= MAX_LENGTH && !/%0[0ad]|[\0-\x20\x7f\\]/i.test(trimmed);
  if (!isUsable) throw new RemoteUrlError('url', url?.host ?? '', 'not the URL of a repository');
  const host = plainHost(url.hostname);
  if (!/^[a-z0-9_.:-]+$/i.test(host) || host.startsWith('-')) throw new RemoteUrlError('url', url.host, 'not the name of a host');
  const { username, password } = url;
  const credentials = username || password ? { username: decoded(username), password: decoded(password) } : undefined;
  if (credentials) requireUsable(credentials);
  url.username = '';
  url.password = '';
  url.hash = '';
  const port = url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port);
  return { url: url.href, protocol, host, port, ...(credentials && { credentials }) };
}

/**
 * Refuses credentials that git's credential protocol cannot express: it has one line for each.
 * @throws RemoteUrlError
 */
export function requireUsable({ username, password }: RemoteCredentials): void {
  const isUsable = (text: string) => text.length <= MAX_CREDENTIAL && !/[\0\r\n]/.test(text);
  if (!isUsable(username) || !isUsable(password)) throw new RemoteUrlError('url', '', 'the credentials are too long or have several lines');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RemoteUrlError('url', '', 'the credentials in the URL are not encoded');
  }
}

/** The rules for connections to repositories on other servers: the settings `outgoing`, changed by `migrations`. */
export function remoteRules({ outgoing, migrations }: Pick<Settings, 'outgoing' | 'migrations'>): Settings['outgoing'] {
  const allowed = migrations.allowedHosts.length > 0 ? migrations.allowedHosts : outgoing.allowedHosts;
  return {
    ...outgoing,
    allowedHosts: migrations.allowLocalNetworks ? [...allowed, 'loopback', 'private'] : allowed,
    blockedHosts: [...outgoing.blockedHosts, ...migrations.blockedHosts],
  };
}

/**
 * Checks whether the host of a repository is known and allowed, so that the user gets the error at once. Each connection is checked again.
 * @throws RemoteUrlError
 */
export async function requireRemoteAllowed(settings: Pick<Settings, 'outgoing' | 'migrations'>, { host }: RemoteUrl): Promise<void> {
  try {
    await allowedAddresses(remoteRules(settings), host);
  } catch (error) {
    throw new RemoteUrlError('host', host, error instanceof Error ? error.message : String(error));
  }
}
