import type { Context } from '../context.ts';
import type { RemoteCredentials } from '../http/outgoing/remote-url.ts';

/** Which table the credentials belong to: `mirrors` or `push_mirrors`. */
export type MirrorKind = 'mirror' | 'push mirror';

const sealedFor = (kind: MirrorKind, remoteUrl: string) => `credentials of a ${kind} for ${remoteUrl}`;

/** Encrypts credentials, bound to the URL that they are for. Returns null for none. */
export function sealCredentials(
  { secrets }: Pick<Context, 'secrets'>,
  kind: MirrorKind,
  remoteUrl: string,
  credentials: RemoteCredentials | undefined,
): string | null {
  return credentials ? secrets.encrypt(JSON.stringify(credentials), sealedFor(kind, remoteUrl)) : null;
}

/**
 * Decrypts the credentials of a mirror.
 * @throws SecretsError if they were encrypted for another URL
 */
export function openCredentials(
  { secrets }: Pick<Context, 'secrets'>,
  kind: MirrorKind,
  { credentials, remote_url: remoteUrl }: { credentials: string | null; remote_url: string },
): RemoteCredentials | undefined {
  if (credentials === null) return undefined;
  return JSON.parse(secrets.decrypt(credentials, sealedFor(kind, remoteUrl)).toString('utf8')) as RemoteCredentials;
}

/**
 * Chooses the credentials of a request: the given ones before those in the URL. A token without a password is used as the password.
 */
export function givenCredentials(
  inUrl: RemoteCredentials | undefined,
  given: { username?: string | undefined; password?: string | undefined; token?: string | undefined },
): RemoteCredentials | undefined {
  const { username = '', password = '', token = '' } = given;
  if (username || password) return { username, password: password || token };
  // Services accept any name with a token; this one is common.
  return token ? { username: 'oauth2', password: token } : inUrl;
}
