import { refuseBarred, refuseWithoutSecondFactor } from '../access/authenticate.ts';
import { findUserById } from '../access/find-user.ts';
import { grantOfScope } from '../access/scopes.ts';
import { now } from '../clock.ts';
import type { Services, TokenGrant } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { HttpError } from '../http/errors.ts';
import { isObject } from './pointer.ts';

/** The permissions of a token: `upload` includes `download`. */
export type LfsOperation = 'download' | 'upload';

/** How the holder of a token has signed in. The token is valid as long as this sign-in still is. */
export type LfsCredential =
  | { readonly kind: 'password'; readonly user: User }
  /** An SSH key of a user, by its id. */
  | { readonly kind: 'key'; readonly user: User; readonly keyId: number }
  /** An SSH certificate, of which nothing is stored. */
  | { readonly kind: 'certificate'; readonly user: User }
  /** A deploy key of the repository, by the id of its row in `deploy_keys`. */
  | { readonly kind: 'deploy'; readonly deployKeyId: number };

/** A token for transfers, as clients send it in an `Authorization: Bearer` header. */
export interface LfsToken {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** The user or deploy key of a token, and its permissions. */
export interface LfsTokenUse {
  readonly repositoryId: number;
  readonly operation: LfsOperation;
  /** Null for a deploy key. */
  readonly user: User | null;
  /** The limits of the SSH key, if it was added with a token that has limits. */
  readonly grant: TokenGrant | null;
  /** Whether a deploy key may write; undefined for a user. */
  readonly deployKeyWrites?: boolean;
}

interface Claims {
  readonly repository: number;
  readonly operation: LfsOperation;
  readonly kind: LfsCredential['kind'];
  /** The user's id; 0 for a deploy key. */
  readonly user: number;
  /** The key's id, or for a password a value that changes with the password. */
  readonly credential: number | string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const PREFIX = 'lfs.';
const PURPOSE = 'lfs token';

/** Creates a token for one repository and one operation. It is valid for `lfs.tokenLifetime`. */
export function makeLfsToken(
  services: Pick<Services, 'secrets' | 'settings'>,
  repositoryId: number,
  operation: LfsOperation,
  credential: LfsCredential,
): LfsToken {
  const expiresIn = Math.floor(services.settings.lfs.tokenLifetime / 1000);
  const claims: Claims = {
    repository: repositoryId,
    operation,
    kind: credential.kind,
    user: credential.kind === 'deploy' ? 0 : credential.user.id,
    credential: markOf(services, credential),
    expires: now() + expiresIn,
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return { token: `${PREFIX}${payload}.${services.secrets.sign(PURPOSE, payload)}`, expiresIn };
}

/** Whether a bearer token has the form of these tokens, valid or not. */
export function isLfsToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Validates a token. Returns undefined if it is malformed, has expired, or its sign-in is no longer valid. */
export async function useLfsToken(services: Services, token: string): Promise<LfsTokenUse | undefined> {
  const claims = readClaims(services, token);
  if (!claims || claims.expires <= now()) return undefined;
  const { repository: repositoryId, operation } = claims;
  if (claims.kind === 'deploy') {
    const row = await services.database.db
      .selectFrom('deploy_keys')
      .select('can_write')
      .where('id', '=', Number(claims.credential))
      .where('repository_id', '=', repositoryId)
      .executeTakeFirst();
    return row && { repositoryId, operation, user: null, grant: null, deployKeyWrites: row.can_write };
  }
  const user = await findUserById(services.database.db, claims.user);
  if (!user || !(await mayCall(services, user))) return undefined;
  const grant = await grantOf(services, user, claims);
  return grant === undefined ? undefined : { repositoryId, operation, user, grant };
}

function readClaims({ secrets }: Pick<Services, 'secrets'>, token: string): Claims | undefined {
  const [payload = '', signature = ''] = token.slice(PREFIX.length).split('.');
  if (!isLfsToken(token) || !secrets.isSigned(signature, PURPOSE, payload)) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return isObject(claims) ? (claims as unknown as Claims) : undefined;
}

function markOf({ secrets }: Pick<Services, 'secrets'>, credential: LfsCredential): number | string {
  if (credential.kind === 'key') return credential.keyId;
  if (credential.kind === 'deploy') return credential.deployKeyId;
  if (credential.kind === 'certificate') return 0;
  return secrets.sign('lfs password', String(credential.user.id), credential.user.password_hash);
}

/** The limits of a token, null for none; undefined if it is no longer valid. */
async function grantOf(services: Services, user: User, claims: Claims): Promise<TokenGrant | null | undefined> {
  if (claims.kind === 'key') return await keyGrant(services, user, claims);
  return claims.kind === 'certificate' ? null : passwordGrant(services, user, claims);
}

function passwordGrant(services: Services, user: User, { credential }: Claims): null | undefined {
  return markOf(services, { kind: 'password', user }) === credential ? null : undefined;
}

async function keyGrant({ database: { db } }: Services, user: User, { credential }: Claims): Promise<TokenGrant | null | undefined> {
  const key = await db
    .selectFrom('ssh_keys')
    .select('scope')
    .where('id', '=', Number(credential))
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (!key) return undefined;
  return key.scope === null ? null : grantOfScope(key.scope);
}

async function mayCall(services: Services, user: User): Promise<boolean> {
  try {
    refuseBarred(services, user);
    await refuseWithoutSecondFactor(services, user);
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
