import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { NewRepositoryEvent } from '../../events/events.ts';
import { setSecrets } from './hooks.ts';
import { type HookScope, inScope } from './scope.ts';
import { unsealOrNothing } from './secrets.ts';

/** The hooks of a new repository: the default hooks of the instance, and those of its template if they were requested. */
export async function copyHooks({ repositoryId, from }: NewRepositoryEvent, context: Context): Promise<void> {
  const given = (await hooksOf(context, { instance: true })).filter((hook) => !hook.is_system);
  const taken = from?.webhooks ? await hooksOf(context, { repositoryId: from.repositoryId }) : [];
  for (const hook of [...given, ...taken]) await copyHook(context, hook, repositoryId);
}

async function hooksOf({ db }: Context, scope: HookScope): Promise<Webhook[]> {
  return db.selectFrom('webhooks').selectAll().where(inScope(scope)).orderBy('id').execute();
}

async function copyHook(context: Context, hook: Webhook, repositoryId: number): Promise<void> {
  const time = now();
  const { id } = await context.db
    .insertInto('webhooks')
    .values({
      repository_id: repositoryId,
      owner_id: null,
      name: hook.name,
      type: hook.type,
      url: hook.url,
      content_type: hook.content_type,
      slack: JSON.stringify(hook.slack),
      events: JSON.stringify(hook.events),
      branch_filter: hook.branch_filter,
      is_active: hook.is_active,
      created_at: time,
      updated_at: time,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secret = unsealOrNothing(context.secrets, hook, 'secret');
  await setSecrets(context, id, { secret, authorization: unsealOrNothing(context.secrets, hook, 'authorization') });
}
