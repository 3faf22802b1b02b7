import { findUser } from '../access/find-user.ts';
import { internalContext, type Services } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';
import { StartError } from '../start-error.ts';
import { hashNewPassword } from './administration/users.ts';
import { createUser } from './create.ts';
import { hasAccounts, howToBegin } from './first-account.ts';

/**
 * Creates the administrator named by the settings, at the start unless there is such a user. Several processes may start at once.
 * @throws StartError when the rules for accounts and passwords do not allow it
 */
export async function ensureAdministrator(services: Services): Promise<void> {
  const { username, password, email } = services.settings.admin;
  const context = internalContext(services);
  if (!username || !password) {
    if (!(await hasAccounts(context.db))) services.log.warn(howToBegin(context));
    return;
  }
  if (await findUser(context.db, username)) return;
  try {
    await hashNewPassword(context, password);
    await createUser(context, {
      name: username,
      email: email ?? `${username}@${services.settings.users.noReplyDomain}`,
      password,
      byAdministrator: true,
      columns: { is_admin: true, is_active: true },
    });
  } catch (error) {
    // Another process was faster.
    const isTaken = error instanceof HttpError || isUniqueViolation(error);
    if (isTaken && (await findUser(context.db, username))) return;
    if (error instanceof HttpError) {
      const settings = 'COPSE_ADMIN_USERNAME, COPSE_ADMIN_PASSWORD and COPSE_ADMIN_EMAIL';
      throw new StartError(`the administrator cannot be made: ${error.message}; look at ${settings}`, { cause: error });
    }
    throw error;
  }
  services.log.info({ user: username }, 'made the administrator that the settings name');
}
