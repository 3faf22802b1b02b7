import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unauthorized } from '../../http/errors.ts';

/**
 * The signed-in caller, for routes whose requirements ensure that there is one.
 * @throws HttpError 401 otherwise
 */
export function signedInActor({ actor }: Context): User {
  if (!actor) throw unauthorized('token is required');
  return actor;
}
