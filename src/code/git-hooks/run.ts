import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type CustomHook, customHooksOf } from '../../git/protocol/custom-hooks.ts';
import { type HookOutcome, runCustomHook } from '../../git/protocol/run-custom-hook.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { conflict } from '../../http/errors.ts';

/** The environment of a repository's custom hooks, with the names that scripts for Gitea use. */
export function hookEnvironment({ actor, settings }: Context, repository: Repository, isWiki = false): Record<string, string> {
  return {
    GITEA_ROOT_URL: settings.server.rootUrl,
    GITEA_REPO_ID: String(repository.id),
    GITEA_REPO_NAME: repository.name,
    GITEA_REPO_USER_NAME: repository.owner.name,
    GITEA_REPO_IS_WIKI: String(isWiki),
    GITEA_PUSHER_ID: String(actor?.id ?? 0),
    GITEA_PUSHER_NAME: actor?.name ?? '',
    GITEA_PUSHER_EMAIL: actor?.email ?? '',
  };
}

/**
 * Runs the pre-receive and update hooks of a repository before the server itself moves refs, as git does before a push: the API refuses
 * what they refuse.
 * @throws HttpError 409 with their output
 */
export async function runUpdateHooks(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  const present = hooksOf(context, repository);
  if (present.includes('pre-receive')) requireAgreed(await run(context, repository, 'pre-receive', { updates }));
  if (!present.includes('update')) return;
  for (const { ref, oldId, newId } of updates) requireAgreed(await run(context, repository, 'update', { args: [ref, oldId, newId] }));
}

/** Runs the post-receive script of a repository after the server itself has moved refs. */
export async function runPostReceive(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  if (updates.length === 0 || !hooksOf(context, repository).includes('post-receive')) return;
  try {
    const { ok, text } = await run(context, repository, 'post-receive', { updates });
    if (!ok) context.log.warn({ repository: repository.id, text: text.slice(0, 2000) }, 'a post-receive hook failed');
  } catch (error) {
    context.log.error({ repository: repository.id, err: error }, 'a post-receive hook could not be run');
  }
}

function hooksOf({ git, settings }: Context, repository: Repository): CustomHook[] {
  return settings.git.hooksEnabled ? customHooksOf(git.locate(repository)) : [];
}

function run(
  context: Context,
  repository: Repository,
  hook: CustomHook,
  { updates, args }: { updates?: readonly RefUpdate[]; args?: readonly string[] },
): Promise<HookOutcome> {
  const input = updates?.map(({ ref, oldId, newId }) => `${oldId} ${newId} ${ref}\n`).join('');
  const env = hookEnvironment(context, repository);
  return runCustomHook(context.git.locate(repository), hook, { env, ...(input !== undefined && { input }), ...(args && { args }) });
}

function requireAgreed({ ok, text }: HookOutcome): void {
  if (!ok) throw conflict(`PushRejected with remote message: ${text.trim().slice(0, 2000)}`);
}
