import type { Context } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { Hook } from './schema.ts';
import { unsealOrNothing } from './secrets.ts';

/** A hook on the wire, for those who may change it; its secret is never shown. */
export function presentHook({ secrets }: Context, hook: Webhook): Shape<typeof Hook> {
  return {
    id: hook.id,
    name: hook.name,
    type: hook.type,
    branch_filter: hook.branch_filter,
    config: { content_type: hook.content_type, url: hook.url, ...hook.slack },
    events: hook.events,
    authorization_header: unsealOrNothing(secrets, hook, 'authorization'),
    active: hook.is_active,
    updated_at: wireTime(hook.updated_at),
    created_at: wireTime(hook.created_at),
  };
}
