import { createHash } from 'node:crypto';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRunnerToken } from '../../database/tables/action-runners.ts';
import { SecretsError } from '../../secrets.ts';
import { type ActionScope, inScope, scopeColumns, scopeName } from '../scope.ts';
import { randomLetters } from './random-letters.ts';

const LENGTH = 40;

/** The current registration token of a scope, created if missing. */
export async function registrationToken(context: Context, scope: ActionScope): Promise<string> {
  return inTransaction(context, async (context) => {
    const row = await context.db
      .selectFrom('action_runner_tokens')
      .selectAll()
      .where(inScope(scope))
      .where('is_active', '=', true)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return (row && unsealed(context, scope, row.sealed_token)) ?? resetRegistrationToken(context, scope);
  });
}

/** Creates a new registration token; earlier ones become invalid. */
export async function resetRegistrationToken(context: Context, scope: ActionScope): Promise<string> {
  const token = randomLetters(LENGTH);
  await inTransaction(context, async (context) => {
    const { db } = context;
    await db.updateTable('action_runner_tokens').set({ is_active: false }).where(inScope(scope)).execute();
    await db
      .insertInto('action_runner_tokens')
      .values({ ...registrationTokenRow(context, scope, token), created_at: now() })
      .execute();
  });
  return token;
}

/** The stored form of a registration token. */
export function registrationTokenRow({ secrets }: Pick<Context, 'secrets'>, scope: ActionScope, token: string) {
  return { ...scopeColumns(scope), token_hash: hashOf(token), sealed_token: secrets.encrypt(token, sealContext(scope)) };
}

/** The row of a registration token, whether it is valid or not. */
export async function findRegistrationToken({ db }: Pick<Context, 'db'>, token: string): Promise<ActionRunnerToken | undefined> {
  return db.selectFrom('action_runner_tokens').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst();
}

/** SHA-256: tokens are random, so they need no slow hash. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function sealContext(scope: ActionScope): string {
  return `runner registration token ${scopeName(scope)}`;
}

/** Undefined where the instance has another key now. */
function unsealed({ secrets }: Context, scope: ActionScope, sealed: string): string | undefined {
  try {
    return secrets.decrypt(sealed, sealContext(scope)).toString('utf8');
  } catch (error) {
    if (error instanceof SecretsError) return undefined;
    throw error;
  }
}
