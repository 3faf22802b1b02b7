import { loadUserByName } from '../../access/load.ts';
import { explore } from '../../access/requirements.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { MovedError, notFound } from '../../http/errors.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { avatarUrl } from './present.ts';

const JOIN = new URL('../keys/gpg-join-task.ts', import.meta.url);
const TEXT = 'text/plain; charset=utf-8';

const FILES: Readonly<Record<string, (context: Context, user: User) => Promise<HttpResponse>>> = {
  keys: async ({ db }, { id }) => {
    const keys = await db
      .selectFrom('ssh_keys')
      .select('content')
      .where('user_id', '=', id)
      .where('type', '=', 'user')
      .orderBy('id')
      .execute();
    // The comment often is an e-mail address: it is not shown.
    return raw(keys.map(({ content }) => `${content.split(' ', 2).join(' ')}\n`).join(''), TEXT);
  },
  gpg: async ({ db, workers }, { id }) => {
    const primary = db.selectFrom('gpg_keys').select('armored').where('user_id', '=', id).where('primary_key_id', '=', '');
    const keys = await primary.orderBy('id').execute();
    const armored = keys.map(({ armored }) => armored);
    return raw(await workers.run<typeof import('../keys/gpg-join-task.ts')>(JOIN, armored), TEXT);
  },
  png: async (context, user) => {
    throw new MovedError(avatarUrl(context, user), 303);
  },
};

/** Files of users for other programs: `/alice.keys`, `/alice.gpg`, `/alice.png`. */
export const userFileRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//:file(^.+[.](?:keys|gpg|png)$)',
    download: true,
    id: 'getUserFile',
    summary: 'Serves the public keys or the avatar of a user',
    hidden: true,
    needs: [explore],
    responses: { 200: null },
    handle: async ({ params: { file }, request }, context) => {
      const at = file.lastIndexOf('.');
      const user = await loadUserByName(context, file.slice(0, at), request.url);
      if (!(await isUserVisible(context.db, user, context.actor))) throw notFound();
      const make = FILES[file.slice(at + 1)];
      if (!make) throw notFound();
      return make(context, user);
    },
  }),
];
