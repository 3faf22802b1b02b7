import type { Context } from '../context.ts';
import type { RemoteCredentials } from '../http/outgoing/remote-url.ts';

/** What the credentials of another server belong to. */
export type MirrorKind = 'mirror' | 'push mirror';

const sealedFor = (kind: MirrorKind, remoteUrl: string) => `credentials of a ${kind} for ${remoteUrl}`;

/** Encrypts credentials for the URL that they are used with; null for none. */
export function sealCredentials(
  { secrets }: Pick<Context, 'secrets'>,
  kind: MirrorKind,
  remoteUrl: string,
  credentials: RemoteCredentials | undefined,
): string | null {
  return credentials ? secrets.encrypt(JSON.stringify(credentials), sealedFor(kind, remoteUrl)) : null;
}

/** The credentials of a mirror. @throws SecretsError when they are of another URL */
export function openCredentials(
  { secrets }: Pick<Context, 'secrets'>,
  kind: MirrorKind,
  { credentials, remote_url: remoteUrl }: { credentials: string | null; remote_url: string },
): RemoteCredentials | undefined {
  if (credentials === null) return undefined;
  return JSON.parse(secrets.decrypt(credentials, sealedFor(kind, remoteUrl)).toString('utf8')) as RemoteCredentials;
}

/**
 * The credentials for a URL, as a request gave them: beside the URL, or in it. A token alone is taken for a password.
 */
export function givenCredentials(
  inUrl: RemoteCredentials | undefined,
  given: { username?: string | undefined; password?: string | undefined; token?: string | undefined },
): RemoteCredentials | undefined {
  const { username = '', password = '', token = '' } = given;
  if (username || password) return { username, password: password || token };
  // Services take any name with a token; this one is common.
  return token ? { username: 'oauth2', password: token } : inUrl;
}
