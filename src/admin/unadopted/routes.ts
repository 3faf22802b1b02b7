import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, string } from '../../http/schema.ts';
import { adopt, deleteUnadopted, listUnadopted } from './unadopted.ts';

const parameters = { owner: { description: 'owner of the repository' }, repo: { description: 'name of the repository' } };

/** Repositories that an operator has laid on the disk, for administrators. */
export const unadoptedRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/unadopted',
    id: 'adminUnadoptedList',
    summary: 'Lists the unadopted repositories',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: { ...pageQuery, pattern: query.string('a glob for the owner, or for owner and name with a slash between') },
    responses: { 200: array(string()) },
    handle: async ({ query, request }, context) => {
      // Clients send either name.
      const pattern = query.pattern || (new URL(request.url).searchParams.get('query') ?? '');
      const { names, total } = await listUnadopted(context, pattern, pageOf(context, query));
      return listed(names, total);
    },
  }),
  route({
    method: 'POST',
    path: '/admin/unadopted/:owner/:repo',
    id: 'adminAdoptRepository',
    summary: 'Adopts an unadopted repository',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters,
    responses: { 204: null },
    handle: async ({ params }, context) => {
      await adopt(context, params.owner, params.repo);
      return empty(204);
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/unadopted/:owner/:repo',
    id: 'adminDeleteUnadoptedRepository',
    summary: 'Removes an unadopted repository',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters,
    responses: { 204: null },
    handle: async ({ params }, context) => {
      await deleteUnadopted(context, params.owner, params.repo);
      return empty(204);
    },
  }),
];
