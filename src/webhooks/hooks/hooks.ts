import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import type { Shape } from '../../http/schema.ts';
import {
  checkAuthorization,
  checkBranchFilter,
  checkContentType,
  checkLengths,
  checkUrl,
  type HookConfig,
  newSlackOptions,
  slackOptions,
} from './check.ts';
import { chosenEvents } from './events.ts';
import type { CreateHookOption, EditHookOption } from './schema.ts';
import { type HookScope, inScope, scopeColumns } from './scope.ts';
import { seal } from './secrets.ts';
import { isHookType } from './types.ts';

/** Every event of a scope is delivered to all of its hooks. */
const MAX_HOOKS = 250;

/**
 * The hooks of a scope in the order in which they were made.
 * @param isSystem of the instance, either those that get all events or those that are copied to new repositories
 */
export async function listHooks(
  { db }: Context,
  scope: HookScope,
  page: Page,
  isSystem?: boolean,
): Promise<{ hooks: Webhook[]; total: number }> {
  let found = db.selectFrom('webhooks').where(inScope(scope));
  if (isSystem !== undefined) found = found.where('is_system', '=', isSystem);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { hooks: await found.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute(), total: Number(total) };
}

/**
 * The hook with this id, of this scope.
 * @throws HttpError 404
 */
export async function getHook({ db }: Context, scope: HookScope, id: number): Promise<Webhook> {
  const hook = await db.selectFrom('webhooks').selectAll().where('id', '=', id).where(inScope(scope)).executeTakeFirst();
  if (!hook) throw notFound();
  return hook;
}

/** @throws HttpError 422 for missing or invalid fields, 400 for the name of a channel */
export async function createHook(context: Context, scope: HookScope, options: Shape<typeof CreateHookOption>): Promise<Webhook> {
  const config: HookConfig = options.config;
  const { type } = options;
  if (!isHookType(type)) throw unprocessable(`Invalid hook type: ${type.slice(0, 100)}`);
  for (const name of ['url', 'content_type']) {
    if (config[name] === undefined) throw unprocessable(`Missing config option: ${name}`);
  }
  checkLengths(config);
  const contentType = checkContentType(config.content_type ?? '');
  const url = checkUrl(config.url ?? '');
  const isSystem = readBoolean(config.is_system_webhook);
  const slack = type === 'slack' ? newSlackOptions(config) : null;
  const authorization = checkAuthorization(options.authorization_header ?? '');
  const time = now();
  return inTransaction(context, async (context) => {
    await refuseMany(context, scope);
    const { id } = await context.db
      .insertInto('webhooks')
      .values({
        ...scopeColumns(scope),
        is_system: 'instance' in scope && isSystem,
        name: (options.name ?? '').trim(),
        type,
        url,
        content_type: contentType,
        slack: JSON.stringify(slack),
        events: JSON.stringify(chosenEvents(options.events)),
        branch_filter: checkBranchFilter(options.branch_filter ?? ''),
        is_active: options.active ?? false,
        created_at: time,
        updated_at: time,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return setSecrets(context, id, { secret: config.secret ?? '', authorization });
  });
}

/**
 * Changes a hook. Its events, branches and authorization are always those of the request.
 * @throws HttpError 404, 422
 */
export async function editHook(context: Context, scope: HookScope, id: number, options: Shape<typeof EditHookOption>): Promise<Webhook> {
  const hook = await getHook(context, scope, id);
  const config: HookConfig = options.config ?? {};
  checkLengths(config);
  const authorization = checkAuthorization(options.authorization_header ?? '');
  const columns = {
    ...(config.url !== undefined && { url: checkUrl(config.url) }),
    ...(config.content_type !== undefined && { content_type: checkContentType(config.content_type) }),
    ...(hook.type === 'slack' && config.channel !== undefined && { slack: JSON.stringify(slackOptions(config)) }),
    ...(options.active !== undefined && { is_active: options.active }),
    ...(options.name !== undefined && { name: options.name.trim() }),
    events: JSON.stringify(chosenEvents(options.events)),
    branch_filter: checkBranchFilter(options.branch_filter ?? ''),
    updated_at: now(),
  };
  return inTransaction(context, async (context) => {
    await context.db.updateTable('webhooks').set(columns).where('id', '=', id).execute();
    return setSecrets(context, id, { authorization });
  });
}

/** @throws HttpError 404 */
export async function deleteHook(context: Context, scope: HookScope, id: number): Promise<void> {
  await getHook(context, scope, id);
  await context.db.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Each is encrypted for the row that it is in, so the row comes first. */
export async function setSecrets(
  { db, secrets }: Context,
  id: number,
  { secret, authorization }: { secret?: string; authorization: string },
): Promise<Webhook> {
  return await db
    .updateTable('webhooks')
    .set({
      ...(secret !== undefined && { sealed_secret: seal(secrets, id, 'secret', secret) }),
      sealed_authorization: seal(secrets, id, 'authorization', authorization),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function refuseMany({ db }: Context, scope: HookScope): Promise<void> {
  const { total } = await db
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  if (Number(total) >= MAX_HOOKS) throw unprocessable(`there are at most ${MAX_HOOKS} webhooks in one place`);
}

/** @throws HttpError 422 for neither of them */
function readBoolean(text = ''): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['', '0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw unprocessable('Invalid is_system_webhook value');
}
