import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';

/** Credentials of an upstream: a name and a password, or a bearer token as the password without a name. */
export interface UpstreamCredentials {
  readonly username: string;
  readonly password: string;
}

const sealedFor = (url: string) => `credentials of the package upstream ${url}`;

/** Encrypts credentials, bound to their URL; null for none. */
export function sealCredentials({ secrets }: Pick<Context, 'secrets'>, url: string, credentials: UpstreamCredentials): string | null {
  return credentials.password === '' ? null : secrets.encrypt(JSON.stringify(credentials), sealedFor(url));
}

/** @throws SecretsError if they were encrypted for another URL */
export function openCredentials(
  { secrets }: Pick<Context, 'secrets'>,
  { url, credentials }: Pick<PackageUpstreamRow, 'url' | 'credentials'>,
): UpstreamCredentials | undefined {
  if (credentials === null) return undefined;
  return JSON.parse(secrets.decrypt(credentials, sealedFor(url)).toString('utf8')) as UpstreamCredentials;
}

/** The authorization header for a URL on the upstream's own host; undefined for others, such as those that its documents name. */
export function authorizationFor(context: Pick<Context, 'secrets'>, upstream: PackageUpstreamRow, url: string): Record<string, string> {
  if (new URL(url).origin !== new URL(upstream.url).origin) return {};
  const credentials = openCredentials(context, upstream);
  if (!credentials) return {};
  const { username, password } = credentials;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return { authorization: username === '' ? `Bearer ${password}` : `Basic ${basic}` };
}
