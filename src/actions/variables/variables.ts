import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isUniqueViolation } from '../../database/database.ts';
import type { ActionVariable } from '../../database/tables/action-runners.ts';
import { badRequest, conflict, notFoundBecause } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import type { Shape } from '../../http/schema.ts';
import { checkedName, shortened } from '../names.ts';
import { type ActionScope, inScope, scopeColumns } from '../scope.ts';
import type { CreateVariableOption, UpdateVariableOption } from './schema.ts';

/** Length limit of a value in characters. */
const MAX_VALUE = 65536;
/** Every job gets all variables of its repository, of the owner and of the instance, in one message. */
const MAX_VARIABLES = 1000;
const MAX_TOTAL = 4 * 1024 * 1024;

/** The variables of a scope, by name. */
export async function listVariables(
  { db }: Context,
  scope: ActionScope,
  page: Page,
): Promise<{ variables: ActionVariable[]; total: number }> {
  const found = db.selectFrom('action_variables').where(inScope(scope));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { variables: await found.selectAll().orderBy('name').limit(page.limit).offset(page.offset).execute(), total: Number(total) };
}

/** @throws HttpError 404 */
export async function getVariable({ db }: Pick<Context, 'db'>, scope: ActionScope, name: string): Promise<ActionVariable> {
  const found = await db
    .selectFrom('action_variables')
    .selectAll()
    .where(inScope(scope))
    .where('name', '=', name.toUpperCase())
    .executeTakeFirst();
  if (!found) throw notFoundBecause('variable not found');
  return found;
}

/** @throws HttpError 400 for a name or a value that is not allowed, 409 for a name that is taken */
export async function createVariable(
  context: Context,
  scope: ActionScope,
  rawName: string,
  { value, description = '' }: Shape<typeof CreateVariableOption>,
): Promise<void> {
  const time = now();
  await inTransaction(context, async ({ db }) => {
    await refuseTaken(db, scope, rawName);
    const row = { ...scopeColumns(scope), name: checkedName(rawName), value: checkedValue(value), description: shortened(description) };
    const made = await db
      .insertInto('action_variables')
      .values({ ...row, created_at: time, updated_at: time })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw taken(rawName);
    await refuseMany(db, scope);
  });
}

/**
 * Changes the value and description of a variable, and its name if there is a new one.
 * @throws HttpError 404; 400 for a name or a value that is not allowed, 409 for a name that is taken
 */
export async function updateVariable(
  context: Context,
  scope: ActionScope,
  oldName: string,
  { name, value, description = '' }: Shape<typeof UpdateVariableOption>,
): Promise<void> {
  const newName = name || oldName;
  try {
    await inTransaction(context, async ({ db }) => {
      const { id } = await getVariable({ db }, scope, oldName);
      const row = { name: checkedName(newName), value: checkedValue(value), description: shortened(description), updated_at: now() };
      await db.updateTable('action_variables').set(row).where('id', '=', id).execute();
      await refuseMany(db, scope);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? taken(newName) : error;
  }
}

/** @throws HttpError 404 */
export async function deleteVariable({ db }: Context, scope: ActionScope, name: string): Promise<void> {
  const { id } = await getVariable({ db }, scope, name);
  await db.deleteFrom('action_variables').where('id', '=', id).execute();
}

/** The values for jobs of a repository, by name: the repository takes precedence over its owner, and the owner over the instance. */
export async function variablesOf(
  { db }: Pick<Context, 'db'>,
  { repositoryId, ownerId }: { repositoryId: number; ownerId: number },
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const scope of [{ instance: true } as const, { ownerId }, { repositoryId }]) {
    const rows = await db.selectFrom('action_variables').select(['name', 'value']).where(inScope(scope)).orderBy('id').execute();
    for (const { name, value } of rows) values.set(name, value);
  }
  return values;
}

/** Line ends are line feeds, wherever the value was written. */
function checkedValue(value: string): string {
  const text = value.replaceAll(/\r\n?/g, '\n');
  if (text.length > MAX_VALUE && [...text].length > MAX_VALUE) throw badRequest('data too long');
  return text;
}

function taken(name: string) {
  return conflict(`variable name ${name} already exists`);
}

async function refuseTaken(db: Context['db'], scope: ActionScope, name: string): Promise<void> {
  const found = await db
    .selectFrom('action_variables')
    .select('id')
    .where(inScope(scope))
    .where('name', '=', name.toUpperCase())
    .executeTakeFirst();
  if (found) throw taken(name);
}

async function refuseMany(db: Context['db'], scope: ActionScope): Promise<void> {
  const { count, bytes } = await db
    .selectFrom('action_variables')
    .select((select) => [select.fn.countAll<number>().as('count'), select.fn.sum<number>(select.fn('length', ['value'])).as('bytes')])
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  if (Number(count) > MAX_VARIABLES) throw badRequest(`there are at most ${MAX_VARIABLES} variables in one place`);
  if (Number(bytes) > MAX_TOTAL) throw badRequest(`the variables of one place have at most ${MAX_TOTAL} characters together`);
}
