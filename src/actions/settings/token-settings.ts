import type { Repository } from '../../access/find-repository.ts';
import { DEFAULT_TOKEN_SETTINGS, JOB_UNITS, TOKEN_MODES, type TokenSettings } from '../../access/job-levels.ts';
import type { Context } from '../../context.ts';
import type { ActionPermissions } from '../../database/tables/actions.ts';
import { unprocessable } from '../../http/errors.ts';

/** The scope of settings: one repository, or all of an owner without their own settings. */
export type TokenPlace = { readonly repositoryId: number } | { readonly ownerId: number };

/** The maximum levels of a token in a unit. */
export const TOKEN_LEVELS = ['none', 'read', 'write'] as const;

/** The permissions of job tokens; undefined if the scope has no settings of its own. */
export async function findTokenSettings({ db }: Pick<Context, 'db'>, place: TokenPlace): Promise<TokenSettings | undefined> {
  const [column, id] = columnOf(place);
  return db.selectFrom('action_token_settings').select(['mode', 'maximum']).where(column, '=', id).executeTakeFirst();
}

/** The settings that apply to a repository: its own, or those of its owner. */
export async function tokenSettingsIn(
  context: Pick<Context, 'db'>,
  { id, owner_id: ownerId }: Pick<Repository, 'id' | 'owner_id'>,
): Promise<TokenSettings & { readonly isOwn: boolean }> {
  const own = await findTokenSettings(context, { repositoryId: id });
  if (own) return { ...own, isOwn: true };
  return { ...((await findTokenSettings(context, { ownerId })) ?? DEFAULT_TOKEN_SETTINGS), isOwn: false };
}

/** Sets the permissions of job tokens. They apply at once, also to running jobs. */
export async function setTokenSettings({ db }: Pick<Context, 'db'>, place: TokenPlace, settings: TokenSettings): Promise<void> {
  const [column, id] = columnOf(place);
  const values = { mode: settings.mode, maximum: JSON.stringify(settings.maximum) };
  await db
    .insertInto('action_token_settings')
    .values({ owner_id: null, repository_id: null, [column]: id, ...values })
    .onConflict((conflict) => conflict.column(column).doUpdateSet(values))
    .execute();
}

/** A repository uses the settings of its owner again. */
export async function removeTokenSettings({ db }: Pick<Context, 'db'>, repositoryId: number): Promise<void> {
  await db.deleteFrom('action_token_settings').where('repository_id', '=', repositoryId).execute();
}

/**
 * Parses settings of a form: `token_permission_mode`, and with `enable_max_permissions` a level for each unit, `max_code` and so on.
 * @throws HttpError 422
 */
export function readTokenSettings(fields: Pick<ReadonlyMap<string, string>, 'get'>): TokenSettings {
  const mode = oneOf(TOKEN_MODES, fields, 'token_permission_mode');
  if (fields.get('enable_max_permissions') !== 'on') return { mode, maximum: null };
  const maximum: ActionPermissions = Object.fromEntries(JOB_UNITS.map((unit) => [unit, oneOf(TOKEN_LEVELS, fields, `max_${unit}`)]));
  return { mode, maximum };
}

function oneOf<T extends string>(words: readonly T[], fields: Pick<ReadonlyMap<string, string>, 'get'>, name: string): T {
  const found = words.find((word) => word === fields.get(name));
  if (found === undefined) throw unprocessable(`[${name}]: one of ${words.join(', ')}`);
  return found;
}

function columnOf(place: TokenPlace): ['repository_id' | 'owner_id', number] {
  return 'repositoryId' in place ? ['repository_id', place.repositoryId] : ['owner_id', place.ownerId];
}
