import { repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { notFound } from '../../http/errors.ts';
import { empty, raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { deleteRepositoryAvatar, findRepositoryAvatar, setRepositoryAvatar } from './avatar.ts';
import { UpdateRepoAvatarOption } from './schema.ts';

/** The avatars of repositories. */
export const repositoryAvatarRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/avatar',
    id: 'repoUpdateAvatar',
    summary: 'Sets the avatar of a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    body: UpdateRepoAvatarOption,
    // Base64 takes a third more, and line breaks some.
    bodyLimit: ({ settings }) => settings.avatars.maxSize * 2,
    responses: { 204: null },
    also: [400],
    handle: async ({ repository, body }, context) => {
      await setRepositoryAvatar(context, repository, body.image);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/avatar',
    id: 'repoDeleteAvatar',
    summary: 'Removes the avatar of a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      await deleteRepositoryAvatar(context, repository);
      return empty(204);
    },
  }),
  route({
    method: 'GET',
    path: '//repo-avatars/:name',
    download: true,
    id: 'getRepositoryAvatar',
    summary: 'Serves the avatar of a repository',
    hidden: true,
    responses: { 200: null },
    handle: async ({ params: { name }, request }, context) => {
      // A name always has the same content: a cached image needs no check.
      const headers = { etag: `"${name}"`, 'cache-control': 'public, max-age=31536000, immutable' };
      if (request.headers['if-none-match'] === headers.etag) return empty(304, headers);
      const picture = await findRepositoryAvatar(context, name);
      if (!picture) throw notFound();
      return raw(picture.content, picture.type, { headers: { ...headers, 'content-security-policy': "default-src 'none'; sandbox" } });
    },
  }),
];
