import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionSecret } from '../../database/tables/action-runners.ts';
import { badRequest, notFoundBecause } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import type { Shape } from '../../http/schema.ts';
import { SecretsError } from '../../secrets.ts';
import { checkedName, shortened } from '../names.ts';
import { type ActionScope, inScope, scopeColumns, scopeName } from '../scope.ts';
import type { CreateOrUpdateSecretOption } from './schema.ts';

/** Size limit of a value in bytes. */
const MAX_VALUE = 65536;
/** Every job gets all secrets of its repository and of the owner, in one message. */
const MAX_SECRETS = 1000;
const MAX_TOTAL = 4 * 1024 * 1024;

/** The secrets of a scope, by name. */
export async function listSecrets(
  { db }: Context,
  scope: ActionScope,
  page: Page,
): Promise<{ secrets: Pick<ActionSecret, 'name' | 'description' | 'created_at'>[]; total: number }> {
  const found = db.selectFrom('action_secrets').where(inScope(scope));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = found.select(['name', 'description', 'created_at']).orderBy('name').limit(page.limit).offset(page.offset);
  return { secrets: await rows.execute(), total: Number(total) };
}

/**
 * Creates a secret, or gives it another value.
 * @returns whether it is new
 * @throws HttpError 400 for a name or a value that is not allowed
 */
export async function setSecret(
  context: Context,
  scope: ActionScope,
  rawName: string,
  { data, description = '' }: Shape<typeof CreateOrUpdateSecretOption>,
): Promise<boolean> {
  const name = checkedName(rawName);
  if (Buffer.byteLength(data) > MAX_VALUE) throw badRequest('data too long');
  const time = now();
  const values = {
    sealed_value: context.secrets.encrypt(data, sealContext(scope, name)),
    description: shortened(description),
    updated_at: time,
  };
  return inTransaction(context, async ({ db }) => {
    const update = () => db.updateTable('action_secrets').set(values).where(inScope(scope)).where('name', '=', name).returning('id');
    let isNew = false;
    if (!(await update().executeTakeFirst())) {
      const row = { ...scopeColumns(scope), name, ...values, created_at: time };
      const made = await db
        .insertInto('action_secrets')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      isNew = made !== undefined;
      if (!isNew) await update().execute();
    }
    await refuseMany(db, scope);
    return isNew;
  });
}

/** @throws HttpError 404 */
export async function deleteSecret({ db }: Context, scope: ActionScope, name: string): Promise<void> {
  const deleted = await db
    .deleteFrom('action_secrets')
    .where(inScope(scope))
    .where('name', '=', name.toUpperCase())
    .returning('id')
    .executeTakeFirst();
  // Clients expect this text without the name.
  if (!deleted) throw notFoundBecause('secret was not found [name: ]');
}

/**
 * The values for jobs of a repository, by name: those of the repository take precedence over those of its owner. A secret that was encrypted
 * with another key is left out.
 */
export async function secretsOf(
  { db, secrets, log }: Pick<Context, 'db' | 'secrets' | 'log'>,
  { repositoryId, ownerId }: { repositoryId: number; ownerId: number },
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const scope of [{ ownerId }, { repositoryId }]) {
    const rows = await db.selectFrom('action_secrets').select(['name', 'sealed_value']).where(inScope(scope)).orderBy('id').execute();
    for (const { name, sealed_value } of rows) {
      try {
        values.set(name, secrets.decrypt(sealed_value, sealContext(scope, name)).toString('utf8'));
      } catch (error) {
        if (!(error instanceof SecretsError)) throw error;
        log.error({ scope: scopeName(scope), name }, 'a secret of automation cannot be decrypted: the instance has another secret key now');
      }
    }
  }
  return values;
}

/** The encryption context of a secret, so that a row cannot be used for another one. */
export function sealContext(scope: ActionScope, name: string): string {
  return `action secret ${scopeName(scope)} ${name}`;
}

async function refuseMany(db: Context['db'], scope: ActionScope): Promise<void> {
  const { count, bytes } = await db
    .selectFrom('action_secrets')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number>(select.fn('length', ['sealed_value'])).as('bytes'),
    ])
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  if (Number(count) > MAX_SECRETS) throw badRequest(`there are at most ${MAX_SECRETS} secrets in one place`);
  if (Number(bytes) > MAX_TOTAL) throw badRequest(`the secrets of one place have at most ${MAX_TOTAL} bytes together`);
}
