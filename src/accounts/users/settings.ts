import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User, UserUpdate } from '../../database/tables/accounts.ts';
import { forbidden } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import type { UserSettings, UserSettingsOptions } from './schema.ts';

/** The user's own settings on the wire. */
export function presentSettings({ settings }: Context, user: User): Shape<typeof UserSettings> {
  return {
    full_name: user.full_name,
    website: user.website,
    description: user.description,
    location: user.location,
    language: user.language,
    theme: user.theme || settings.ui.defaultTheme,
    diff_view_style: user.diff_view_style,
    hide_email: user.keep_email_private,
    hide_activity: user.keep_activity_private,
  };
}

/**
 * Changes the given settings; the others stay.
 * @throws HttpError 403 for a full name where users may not change it
 */
export async function updateSettings(context: Context, user: User, option: Shape<typeof UserSettingsOptions>): Promise<User> {
  const renames = option.full_name !== undefined && option.full_name !== user.full_name;
  if (renames && context.settings.users.disabledFeatures.includes('change_full_name')) throw forbidden('the full name cannot be changed');
  return updateUser(context, user, {
    full_name: option.full_name,
    website: option.website,
    description: option.description,
    location: option.location,
    language: option.language,
    theme: option.theme,
    diff_view_style: option.diff_view_style,
    keep_email_private: option.hide_email,
    keep_activity_private: option.hide_activity,
  });
}

type Changes = { [K in keyof UserUpdate]: UserUpdate[K] | undefined };

/** Writes the columns that are not undefined; returns the account as it is then. */
export async function updateUser({ db }: Context, user: User, changes: Changes): Promise<User> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as UserUpdate;
  if (Object.keys(given).length === 0) return user;
  return db
    .updateTable('users')
    .set({ ...given, updated_at: now() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
