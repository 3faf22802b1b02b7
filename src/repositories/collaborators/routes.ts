import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { anyRead, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentManyUsers, presentUser, presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import type { User as UserRow } from '../../database/tables/accounts.ts';
import { forbidden, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { listAssignees, listReviewers, mayChooseReviewers } from './candidates.ts';
import { isCollaborator, LEVEL_NAMES, listCollaborators, removeCollaborator, setCollaborator } from './collaborators.ts';
import { AddCollaboratorOption, RepoCollaboratorPermission } from './schema.ts';

const OTHERS_PERMISSION =
  'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own';

async function requireUser({ db }: Context, name: string): Promise<UserRow> {
  const user = await findUser(db, name);
  if (!user) throw unprocessable(`user does not exist [uid: 0, name: ${name}]`);
  return user;
}

/** Collaborators, and possible assignees and reviewers. */
export const collaboratorRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators',
    id: 'repoListCollaborators',
    summary: 'Lists the collaborators',
    scope: 'repository',
    needs: [signedIn, anyRead],
    query: pageQuery,
    responses: { 200: array(ref(User)) },
    handle: async ({ repository, query }, context) => {
      const { users, total } = await listCollaborators(context, repository, pageOf(context, query));
      return listed(presentUsers(context, users), total);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    id: 'repoCheckCollaborator',
    summary: 'Checks whether a user is a collaborator',
    scope: 'repository',
    needs: [signedIn, anyRead],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      const user = await requireUser(context, params.collaborator);
      if (!(await isCollaborator(context, repository.id, user.id))) throw notFound();
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    id: 'repoAddCollaborator',
    summary: 'Adds a collaborator, or changes their permission',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    body: AddCollaboratorOption,
    responses: { 204: null },
    handle: async ({ repository, params, body }, context) => {
      await setCollaborator(context, repository, await requireUser(context, params.collaborator), body.permission ?? 'write');
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    id: 'repoDeleteCollaborator',
    summary: 'Removes a collaborator',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await removeCollaborator(context, repository, await requireUser(context, params.collaborator));
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators/:collaborator/permission',
    id: 'repoGetRepoPermissions',
    summary: 'Returns what a user may do in a repository',
    scope: 'repository',
    needs: [signedIn],
    responses: { 200: RepoCollaboratorPermission },
    handle: async ({ repository, access, params }, context) => {
      const actor = signedInActor(context);
      const isOwn = actor.lower_name === params.collaborator.toLowerCase();
      if (!isOwn && !actor.is_admin && !access.isAdmin) throw forbidden(OTHERS_PERMISSION);
      const user = await findUser(context.db, params.collaborator);
      if (!user) throw notFoundBecause(`user does not exist [uid: 0, name: ${params.collaborator}]`);
      const { level } = await repositoryAccess(context, repository, user);
      return { permission: LEVEL_NAMES[level], role_name: LEVEL_NAMES[level], user: presentUser(context, user, repository.owner) };
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/assignees',
    id: 'repoGetAssignees',
    summary: 'Lists who can be assigned to issues and pull requests',
    scope: 'repository',
    needs: [signedIn, anyRead],
    responses: { 200: array(ref(User)) },
    handle: async ({ repository }, context) => presentManyUsers(context, await listAssignees(context, repository)),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/reviewers',
    id: 'repoGetReviewers',
    summary: 'Lists the possible reviewers',
    scope: 'repository',
    needs: [signedIn, anyRead],
    responses: { 200: array(ref(User)) },
    handle: async ({ repository }, context) => {
      if (!(await mayChooseReviewers(context, repository, signedInActor(context)))) {
        throw forbidden('doer has no permission to get reviewers');
      }
      return presentManyUsers(context, await listReviewers(context, repository));
    },
  }),
];
