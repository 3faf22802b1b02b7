import { checkScope } from '../../access/authenticate.ts';
import { findVisibleUser } from '../../access/load.ts';
import type { User } from '../../database/tables/accounts.ts';
import { notFound } from '../../http/errors.ts';
import type { Loader } from '../../http/route.ts';

/**
 * `:username`, a user or an organization whose feed the caller may read: by the rules of the API's feeds, where a private user's is for
 * nobody else, and with the scope that a token needs there.
 */
export const loadFeedOwner: Loader<{ user: User }> = async ({ username = '' }, context, url) => {
  const user = await findVisibleUser(context, username, url.href);
  const { actor, signIn } = context;
  const isOrganization = user.type === 'organization';
  if (!isOrganization && user.visibility === 'private' && actor?.id !== user.id && !actor?.is_admin) throw notFound([]);
  checkScope(signIn.token, [isOrganization ? 'organization' : 'user'], 'read');
  return { user };
};
