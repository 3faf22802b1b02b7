import type { Repository } from '../../access/find-repository.ts';
import { noAccess } from '../../access/repository-access.ts';
import { presentPayloadCommits } from '../../code/commits/present.ts';
import { findRevision } from '../../code/revision.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { presentRepository } from '../../repositories/present.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { enqueueDeliveries } from '../deliveries/enqueue.ts';
import { presentSender } from './people.ts';

/**
 * Delivers the last commit of a branch, a tag or a commit to one hook as if it had been pushed, if the hook wants pushes there.
 * @param given another name is passed on as it is, with the default branch's commit
 * @throws HttpError 404 for a repository without commits
 */
export async function enqueueTestPush(context: Context, repository: Repository, hook: Webhook, actor: User, given = ''): Promise<void> {
  if (repository.is_empty) throw notFound(null, 'repository is empty');
  const named = given.trim().slice(0, 1000);
  const commit = await commitOf(context, repository, named);
  const ref = named || `refs/heads/${repository.default_branch}`;
  const hooks = context.settings.webhooks.enabled ? [hook] : [];
  const payload = () => asPush({ ...context, actor: null }, repository, actor, ref, commit);
  await enqueueDeliveries(context, { hooks }, { event: 'push', ref, payload });
}

async function commitOf(context: Context, repository: Repository, name: string): Promise<Commit> {
  try {
    return (await findRevision(context, repository, name)).commit;
  } catch (error) {
    if (!(error instanceof HttpError) || name === '') throw error;
    return (await findRevision(context, repository, '')).commit;
  }
}

async function asPush(context: Context, repository: Repository, actor: User, ref: string, commit: Commit) {
  const { oid } = commit;
  const [shown = null] = await presentPayloadCommits(context, repository, [commit]);
  const sender = presentSender(context, actor);
  return {
    ref,
    before: oid,
    after: oid,
    compare_url: `${repositoryHtmlUrl(context.settings, repository)}/compare/${oid}...${oid}`,
    commits: [shown],
    total_commits: 1,
    head_commit: shown,
    repository: await presentRepository(context, repository, noAccess(repository)),
    pusher: sender,
    sender,
  };
}
