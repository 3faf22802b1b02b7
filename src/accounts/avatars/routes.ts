import { signedIn } from '../../access/requirements.ts';
import { notFound } from '../../http/errors.ts';
import { empty, raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { deleteAvatar, findAvatar, setAvatar } from './avatars.ts';
import { UpdateUserAvatarOption } from './schema.ts';

/** The avatars of users and organizations. */
export const avatarRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/user/avatar',
    id: 'userUpdateAvatar',
    summary: 'Sets the avatar of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: UpdateUserAvatarOption,
    // Base64 takes a third more, and line breaks some.
    bodyLimit: ({ settings }) => settings.avatars.maxSize * 2,
    responses: { 204: null },
    also: [400],
    handle: ({ body }, context) => setAvatar(context, signedInActor(context), body.image),
  }),
  route({
    method: 'DELETE',
    path: '/user/avatar',
    id: 'userDeleteAvatar',
    summary: 'Removes the avatar of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    responses: { 204: null },
    handle: (_, context) => deleteAvatar(context, signedInActor(context)),
  }),
  route({
    method: 'GET',
    path: '//avatars/:name',
    download: true,
    id: 'getAvatar',
    summary: 'Serves the avatar of a user or an organization',
    hidden: true,
    responses: { 200: null },
    handle: async ({ params: { name }, request }, context) => {
      // A name always has the same content: a cached image needs no check.
      const headers = { etag: `"${name}"`, 'cache-control': 'public, max-age=31536000, immutable' };
      if (request.headers['if-none-match'] === headers.etag) return empty(304, headers);
      const picture = await findAvatar(context, name);
      if (!picture) throw notFound();
      return raw(picture.content, picture.type, { headers: { ...headers, 'content-security-policy': "default-src 'none'; sandbox" } });
    },
  }),
];
