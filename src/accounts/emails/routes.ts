import { signedIn, siteAdmin } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery, query, type RequestParts, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { addEmails, deleteEmails, listEmails, searchEmails } from './emails.ts';
import { presentEmail, presentFoundEmail } from './present.ts';
import { CreateEmailOption, DeleteEmailOption, Email } from './schema.ts';

interface SearchInput {
  query: { page?: number; limit?: number };
  request: RequestParts;
}

async function searchResponse(keyword: string, { query, request }: SearchInput, context: Context) {
  const page = pageOf(context, query);
  const { emails, total } = await searchEmails(context, { keyword }, page);
  return listed(emails.map(presentFoundEmail), total, { url: request.url, ...page });
}

/** E-mail addresses: the caller's own, and for administrators all. */
export const emailRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/emails',
    id: 'userListEmails',
    summary: 'Lists the email addresses of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    responses: { 200: array(Email) },
    handle: async (_, context) => (await listEmails(context.db, signedInActor(context))).map(presentEmail),
  }),
  route({
    method: 'POST',
    path: '/user/emails',
    id: 'userAddEmail',
    summary: 'Adds email addresses of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: CreateEmailOption,
    responses: { 201: array(Email) },
    handle: async ({ body: { emails = [] } }, context) => {
      if (emails.length === 0) throw unprocessable('Email list empty');
      return (await addEmails(context, signedInActor(context), emails)).map(presentEmail);
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/emails',
    id: 'userDeleteEmail',
    summary: 'Removes email addresses of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: DeleteEmailOption,
    responses: { 204: null },
    also: [400],
    handle: ({ body }, context) => deleteEmails(context, signedInActor(context), body.emails ?? []),
  }),
  route({
    method: 'GET',
    path: '/admin/emails',
    id: 'adminGetAllEmails',
    summary: 'Lists the email addresses of all users',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: pageQuery,
    responses: { 200: array(Email) },
    handle: (input, context) => searchResponse('', input, context),
  }),
  route({
    method: 'GET',
    path: '/admin/emails/search',
    semaphore: 'searches',
    id: 'adminSearchEmails',
    summary: 'Searches the email addresses of all users',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: { q: query.string('part of the address, the name or the full name'), ...pageQuery },
    responses: { 200: array(Email) },
    handle: (input, context) => searchResponse((input.query.q ?? '').trim(), input, context),
  }),
];
