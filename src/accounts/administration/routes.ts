import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { userRoute } from '../../access/routes.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { addUserBadges, listUserBadges, removeUserBadges } from '../badges/badges.ts';
import { Badge } from '../badges/schema.ts';
import { isEmailDomainAllowed } from '../names.ts';
import { removeSecondFactors } from '../passkeys/passkeys.ts';
import { presentUser, presentUsers } from '../users/present.ts';
import { User } from '../users/schema.ts';
import { searchUsers } from '../users/search.ts';
import { CreateUserOption, EditUserOption, RenameUserOption, UserBadgeOption } from './schema.ts';
import { readUserQuery } from './search.ts';
import { createUserAsAdministrator, deleteUserAsAdministrator, editUser, renameUserAsAdministrator } from './users.ts';

const username = { description: 'name of the user' };

function slugs(given: string[] | undefined): string[] {
  if (!given) throw unprocessable('[BadgeSlugs]: Required');
  return given;
}

/** Accounts for administrators. */
export const administrationRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/users',
    id: 'adminSearchUsers',
    summary: 'Searches accounts',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: {
      source_id: query.int64('id of the external authenticator'),
      login_name: query.string('name at the external authenticator'),
      ...pageQuery,
      sort: query.string('what to sort by: name, created, updated or id'),
      order: query.string('asc or desc, where sort is given'),
      q: query.string('part of the name, the full name or the address'),
      visibility: query.string('public, limited or private'),
      is_active: query.boolean('only active accounts, or only others'),
      is_admin: query.boolean('only administrators, or only others'),
      is_restricted: query.boolean('only restricted accounts, or only others'),
      is_2fa_enabled: query.boolean('only accounts with two-factor sign-in, or only others'),
      is_prohibit_login: query.boolean('only accounts that may not sign in, or only others'),
    },
    responses: { 200: array(User) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await searchUsers(context, readUserQuery(query), page);
      return listed(presentUsers(context, users), total, { url: request.url, ...page });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users',
    id: 'adminCreateUser',
    summary: 'Creates an account',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    body: CreateUserOption,
    responses: { 201: User },
    also: [400],
    handle: async ({ body }, context) => {
      const created = presentUser(context, await createUserAsAdministrator(context, body));
      // As in Gitea, whose other responses have the e-mail address as written.
      const user = { ...created, email: created.email.toLowerCase() };
      if (isEmailDomainAllowed(context.settings, body.email)) return user;
      const warning = `the domain of user email ${body.email} conflicts with EMAIL_DOMAIN_ALLOWLIST or EMAIL_DOMAIN_BLOCKLIST`;
      return new HttpResponse(user, { headers: { 'x-service-warning': warning, 'x-gitea-warning': warning } });
    },
  }),
  userRoute({
    method: 'PATCH',
    path: '/admin/users/:username',
    id: 'adminEditUser',
    summary: 'Changes an account',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    body: EditUserOption,
    responses: { 200: User },
    also: [400],
    handle: async ({ user, body }, context) => presentUser(context, await editUser(context, user, body)),
  }),
  userRoute({
    method: 'DELETE',
    path: '/admin/users/:username',
    id: 'adminDeleteUser',
    summary: 'Deletes an account',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    query: { purge: query.boolean('delete what the account owns as well') },
    responses: { 204: null },
    handle: ({ user, query }, context) => deleteUserAsAdministrator(context, user, { purge: query.purge ?? false }),
  }),
  userRoute({
    method: 'DELETE',
    path: '/admin/users/:username/2fa',
    id: 'adminRemoveTwoFactor',
    summary: 'Disables two-factor authentication of a user who has lost the device and the recovery code',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    responses: { 204: null },
    handle: async ({ user }, context) => {
      const { hasCodes, hasPasskeys } = await removeSecondFactors(context, user);
      if (!hasCodes && !hasPasskeys) throw notFound();
    },
  }),
  userRoute({
    method: 'POST',
    path: '/admin/users/:username/rename',
    id: 'adminRenameUser',
    summary: 'Renames an account',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    body: RenameUserOption,
    bodyParameter: { required: true },
    responses: { 204: null },
    handle: ({ user, body }, context) => renameUserAsAdministrator(context, user, body.new_username),
  }),
  userRoute({
    method: 'GET',
    path: '/admin/users/:username/badges',
    id: 'adminListUserBadges',
    summary: 'Lists the badges of a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    responses: { 200: array(Badge) },
    handle: async ({ user }, context) => {
      const badges = await listUserBadges(context, user);
      return listed(badges, badges.length);
    },
  }),
  userRoute({
    method: 'POST',
    path: '/admin/users/:username/badges',
    id: 'adminAddUserBadges',
    summary: 'Adds badges to a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    body: UserBadgeOption,
    responses: { 204: null },
    handle: ({ user, body }, context) => addUserBadges(context, user, slugs(body.badge_slugs)),
  }),
  userRoute({
    method: 'DELETE',
    path: '/admin/users/:username/badges',
    id: 'adminDeleteUserBadges',
    summary: 'Removes badges from a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    body: UserBadgeOption,
    responses: { 204: null },
    handle: ({ user, body }, context) => removeUserBadges(context, user, slugs(body.badge_slugs)),
  }),
];
