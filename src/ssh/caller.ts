import { refuseBarred, refuseWithoutSecondFactor } from '../access/authenticate.ts';
import { findUserById } from '../access/find-user.ts';
import { grantOfScope } from '../access/scopes.ts';
import { touchSshKey } from '../accounts/keys/ssh-keys.ts';
import { now } from '../clock.ts';
import { anonymousContext, type Context, type Services } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { SshKey } from '../database/tables/keys.ts';
import { HttpError } from '../http/errors.ts';
import type { DeployKeyLookup } from '../transport/git-target.ts';
import { RefusedCommandError } from './command.ts';
import type { Identity } from './identity.ts';

/** The user or deploy key that runs a command. */
export interface SshCaller {
  readonly context: Context;
  /** The part of the greeting with their name and their credential. */
  readonly greeting: string;
  /** The user's key, by its id in `ssh_keys`; undefined for a deploy key or a certificate. */
  readonly keyId?: number;
  /** Set if a deploy key is used instead of a user. */
  readonly deployKeyOf?: DeployKeyLookup;
}

/** Seconds between two updates of a deploy key's last use. */
const LAST_USED_STEP = 60;

/**
 * Finds the signed-in user in the current state of the database: a key that was removed or an account that was blocked after the connection
 * was made can do nothing more.
 * @throws RefusedCommandError
 */
export async function findCaller(services: Services, identity: Identity, address: string, requestId = ''): Promise<SshCaller> {
  const { db } = services.database;
  const anonymous = anonymousContext(services, requestId, address);
  if (identity.kind === 'user') {
    const user = await requireUser(services, await findUserById(db, identity.id));
    return {
      context: userContext(anonymous, user, null),
      greeting: `, ${user.name}! You've successfully authenticated with a certificate`,
    };
  }
  const key = await db.selectFrom('ssh_keys').selectAll().where('id', '=', identity.id).executeTakeFirst();
  if (!key) throw new RefusedCommandError('Cannot find key');
  await touchSshKey(db, key);
  if (key.type === 'deploy') {
    const context: Context = { ...anonymous, signIn: { method: 'ssh', basic: false, token: null } };
    const greeting = `! You've successfully authenticated with the deploy key named ${key.title}`;
    return { context, greeting, deployKeyOf: deployKeyLookup(services, key) };
  }
  const user = await requireUser(services, key.user_id === null ? undefined : await findUserById(db, key.user_id));
  const greeting = `, ${user.name}! You've successfully authenticated with the key named ${key.title}`;
  return { context: userContext(anonymous, user, key.scope, key.title), greeting, keyId: key.id };
}

function userContext(context: Context, actor: User, scope: string | null, credential?: string): Context {
  const token = scope === null ? null : grantOfScope(scope);
  return { ...context, actor, signIn: { method: 'ssh', basic: false, token, ...(credential && { credential }) } };
}

async function requireUser(services: Services, user: User | undefined): Promise<User> {
  if (!user?.is_active || user.prohibit_login) throw new RefusedCommandError('Your account is disabled.');
  try {
    refuseBarred(services, user);
    await refuseWithoutSecondFactor(services, user);
  } catch (error) {
    throw error instanceof HttpError ? new RefusedCommandError(error.message) : error;
  }
  return user;
}

function deployKeyLookup({ database: { db } }: Services, key: SshKey): DeployKeyLookup {
  return async ({ id: repositoryId }) => {
    const row = await db
      .selectFrom('deploy_keys')
      .select(['id', 'can_write', 'last_used_at'])
      .where('key_id', '=', key.id)
      .where('repository_id', '=', repositoryId)
      .executeTakeFirst();
    if (!row) return undefined;
    const time = now();
    if (time - (row.last_used_at ?? 0) >= LAST_USED_STEP) {
      await db.updateTable('deploy_keys').set({ last_used_at: time }).where('id', '=', row.id).execute();
    }
    return { id: row.id, canWrite: row.can_write };
  };
}
