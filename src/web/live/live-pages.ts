import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { empty, type HttpResponse, raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { countUnread } from '../../notifications/notifications.ts';
import { openPage, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { followed } from './follow.ts';
import { hubOf } from './hub.ts';

/** Where pages learn that something has changed, and the number of unread notifications. */
export const livePages: readonly AnyRoute[] = [
  ...openPage({ path: '/user/events', get: events }),
  ...plainPage({
    path: '/notifications/new',
    needs: [signedIn],
    get: async (_, context) => {
      const body = JSON.stringify({ new: await countUnread(context, signedInActor(context).id) });
      return raw(body, 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
    },
  }),
];

/** Browsers reconnect after any end but this one: anonymous visitors, and users with too many connections, must not return. */
const STAY_AWAY = 204;

async function events({ visitor, fields, request }: Visit, context: Context): Promise<HttpResponse> {
  const { user } = visitor;
  if (!user || !request.headers.accept?.includes('text/event-stream')) return empty(STAY_AWAY);
  const asked = await followed(context, (fields.get('subjects') ?? '').slice(0, 500));
  const stream = hubOf(context).open({ userId: user.id, ...asked });
  if (!stream) return empty(STAY_AWAY);
  // Tells proxies not to buffer.
  return raw(stream, 'text/event-stream; charset=utf-8', { headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' } });
}
