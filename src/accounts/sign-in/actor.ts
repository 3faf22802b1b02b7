import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unauthorized } from '../../http/errors.ts';

/**
 * Who is asking, where the route's requirements made sure that somebody is.
 * @throws HttpError 401 otherwise
 */
export function signedInActor({ actor }: Context): User {
  if (!actor) throw unauthorized('token is required');
  return actor;
}
