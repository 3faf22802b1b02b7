import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';

/** The consequences of a new fork, in the transaction that makes it ready. */
export async function forkMade(context: Context, fork: Repository): Promise<void> {
  // The source may have been deleted meanwhile: then it is an ordinary repository.
  if (fork.fork_id === null) return;
  const { db, actor, events, jobs } = context;
  await db
    .insertInto('repository_languages')
    .columns(['repository_id', 'language', 'bytes'])
    .expression((from) =>
      from
        .selectFrom('repository_languages')
        .select((select) => [select.val(fork.id).$castTo<number>().as('repository_id'), 'language', 'bytes'])
        .where('repository_id', '=', fork.fork_id),
    )
    .execute();
  await events.emit(context, 'repository.forked', { repositoryId: fork.fork_id, forkId: fork.id, actorId: actor?.id ?? fork.owner_id });
  await jobs.add(context, 'repository.maintain', { repositoryId: fork.id }, { key: String(fork.id) });
}
