import { signedIn } from '../../access/requirements.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import {
  type ApplicationOptions,
  applicationOf,
  createApplication,
  deleteApplication,
  listApplications,
  updateApplication,
} from './applications.ts';
import { presentApplication } from './present.ts';
import { CreateOAuth2ApplicationOptions, OAuth2Application } from './schema.ts';

const ofApplications = { scope: 'user', refusesPublicOnly: true, needs: [signedIn] } as const;
const parameters = { id: { type: 'integer', format: 'int64', description: 'id of the application' } } as const;

/** The applications of the caller. */
export const oauth2ApplicationRoutes: readonly AnyRoute[] = [
  route({
    ...ofApplications,
    method: 'GET',
    path: '/user/applications/oauth2',
    id: 'userGetOauth2Application',
    summary: 'Lists the OAuth2 applications of the caller',
    query: pageQuery,
    responses: { 200: array(OAuth2Application) },
    handle: async ({ query }, context) => {
      const { applications, total } = await listApplications(context, signedInActor(context), pageOf(context, query));
      return listed(
        applications.map((application) => presentApplication(application)),
        total,
      );
    },
  }),
  route({
    ...ofApplications,
    method: 'POST',
    path: '/user/applications/oauth2',
    id: 'userCreateOAuth2Application',
    summary: 'Registers an OAuth2 application',
    bodyParameter: { required: true },
    body: CreateOAuth2ApplicationOptions,
    responses: { 201: OAuth2Application },
    also: [400],
    handle: async ({ body }, context) => {
      const { application, secret } = await createApplication(context, signedInActor(context), optionsOf(body));
      return presentApplication(application, secret);
    },
  }),
  route({
    ...ofApplications,
    method: 'GET',
    path: '/user/applications/oauth2/:id',
    id: 'userGetOAuth2Application',
    summary: 'Gets an OAuth2 application',
    parameters,
    responses: { 200: OAuth2Application },
    handle: async ({ params }, context) => presentApplication(await applicationOf(context, signedInActor(context), Number(params.id))),
  }),
  route({
    ...ofApplications,
    method: 'PATCH',
    path: '/user/applications/oauth2/:id',
    id: 'userUpdateOAuth2Application',
    summary: 'Changes an OAuth2 application and renews its secret',
    parameters,
    bodyParameter: { required: true },
    body: CreateOAuth2ApplicationOptions,
    responses: { 200: OAuth2Application },
    also: [400],
    handle: async ({ params, body }, context) => {
      const { application, secret } = await updateApplication(context, signedInActor(context), Number(params.id), optionsOf(body));
      return presentApplication(application, secret);
    },
  }),
  route({
    ...ofApplications,
    method: 'DELETE',
    path: '/user/applications/oauth2/:id',
    id: 'userDeleteOAuth2Application',
    summary: 'Removes an OAuth2 application and all its grants',
    parameters,
    responses: { 204: null },
    handle: async ({ params }, context) => {
      await deleteApplication(context, signedInActor(context), Number(params.id));
      return empty(204);
    },
  }),
];

function optionsOf(body: Shape<typeof CreateOAuth2ApplicationOptions>): ApplicationOptions {
  return {
    name: body.name,
    redirectUris: body.redirect_uris,
    isConfidential: body.confidential_client ?? false,
    skipsConsent: body.skip_secondary_authorization ?? false,
  };
}
