import type { Remote } from '../../git/remotes/remote.ts';
import type { Settings } from '../../settings.ts';
import { type Cut, gitProxy } from './git-proxy.ts';
import { gitTunnel } from './git-tunnel.ts';
import { type RemoteCredentials, type RemoteUrl, remoteRules, requireUsable } from './remote-url.ts';

/** How a repository of another server is reached. */
export interface RemoteOptions {
  /** Sent only to that host, and only when it requires them; those of the URL when left out. */
  readonly credentials?: RemoteCredentials;
  readonly signal?: AbortSignal;
  /** Milliseconds for one git process; `migrations.timeout` when left out. */
  readonly timeoutMs?: number;
}

/** The program that git gets credentials from. They are in its environment, which only this server's user can read. */
const CREDENTIAL_HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$COPSE_REMOTE_USERNAME" "$COPSE_REMOTE_PASSWORD"; }; f';

/**
 * Runs `task` with a repository of another server. All traffic of git goes through this process, which resolves the host, checks its
 * address by the rules for outgoing requests, and connects to no other host, whatever a redirect or a changed DNS record says.
 * @throws RemoteUrlError for credentials that cannot be used
 * @throws HostNotAllowedError, RemoteTooLargeError if the connection was cut for that and `task` uses the functions of `git/`
 */
export async function withRemote<T>(
  settings: Pick<Settings, 'outgoing' | 'migrations'>,
  target: RemoteUrl,
  { credentials = target.credentials, signal, timeoutMs = settings.migrations.timeout }: RemoteOptions,
  task: (remote: Remote) => Promise<T>,
): Promise<T> {
  if (credentials) requireUsable(credentials);
  const cut: Cut = { reason: undefined };
  const { maxSize, verifyCertificates } = settings.migrations;
  const route = { rules: remoteRules(settings), target, cut, maxBytes: maxSize < 0 ? Number.POSITIVE_INFINITY : maxSize };
  const proxy = target.protocol === 'git' ? await gitTunnel(route) : await gitProxy(route);
  try {
    return await task({
      url: proxy.url,
      config: [
        ...proxy.config,
        ['http.sslVerify', String(verifyCertificates)],
        ...(credentials ? originsOf(target).map((origin) => [`credential.${origin}.helper`, CREDENTIAL_HELPER] as const) : []),
      ],
      env: {
        ...proxy.env,
        ...(credentials && { COPSE_REMOTE_USERNAME: credentials.username, COPSE_REMOTE_PASSWORD: credentials.password }),
      },
      requireUncut: () => {
        if (cut.reason !== undefined) throw cut.reason;
      },
      timeoutMs,
      ...(signal && { signal }),
    });
  } finally {
    await proxy.close();
  }
}

/** The origin of the URL, and the one that it may redirect to: HTTPS instead of HTTP. */
function originsOf({ url, protocol, port }: RemoteUrl): string[] {
  const { origin } = new URL(url);
  return protocol === 'http' && port === 80 ? [origin, origin.replace(/^http:/, 'https:')] : [origin];
}
