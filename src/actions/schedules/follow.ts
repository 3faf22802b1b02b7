import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import { readCommit, summary } from '../../git/objects/commits.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { contentOf, readWorkflows, type WorkflowFolder } from '../workflows/files.ts';
import { nextTime } from './times.ts';

/** A workflow with schedules. */
interface Scheduled {
  readonly workflowId: string;
  readonly content: string;
  readonly specs: readonly string[];
}

/** A push to the default branch. */
interface Push {
  readonly actorId: number;
  readonly update: RefUpdate;
}

/** Times of one workflow. */
const MAX_SPECS = 50;

const deleteSchedules = prepared((db, repositoryId: number) => db.deleteFrom('action_schedules').where('repository_id', '=', repositoryId));

/**
 * Replaces the schedules of a repository by those of a commit that its default branch moved to.
 * @param folder its workflow files, if it has any
 */
export async function followSchedules(
  context: Context,
  repository: Repository,
  folder: WorkflowFolder | undefined,
  push: Push,
): Promise<void> {
  const { update } = push;
  const scheduled = folder ? await scheduledIn(context, repository, folder) : [];
  const { git } = context;
  const commit = await readCommit(git.locate(repository), git.pool, update.newId);
  // Later runs have the payload of the push that added the schedule.
  const payload = scheduled.length > 0 ? await payloadOf(context, repository, push) : null;
  const time = now();
  await inTransaction(context, async ({ db }) => {
    await deleteSchedules(db, repository.id);
    for (const { workflowId, content, specs } of scheduled) {
      const { id } = await db
        .insertInto('action_schedules')
        .values({
          repository_id: repository.id,
          owner_id: repository.owner_id,
          title: summary(commit?.message ?? ''),
          workflow_id: workflowId,
          trigger_user_id: ACTIONS_ID,
          ref: update.ref,
          commit_sha: update.newId,
          event: 'push',
          event_payload: JSON.stringify(payload),
          content,
          created_at: time,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const rows = specs.map((spec) => ({ schedule_id: id, repository_id: repository.id, spec, next_at: nextTime(spec, time) }));
      const usable = rows.filter((row) => row.next_at !== null);
      if (usable.length > 0) await db.insertInto('action_schedule_specs').values(usable).execute();
    }
  });
}

async function scheduledIn(context: Context, repository: Repository, folder: WorkflowFolder): Promise<Scheduled[]> {
  const found: Scheduled[] = [];
  for (const workflow of await readWorkflows(context, repository, folder.files)) {
    if (!('value' in workflow.result)) continue;
    const specs = workflow.result.value.triggers.flatMap(({ schedules }) => schedules).slice(0, MAX_SPECS);
    const content = specs.length > 0 ? await contentOf(context, repository, workflow) : undefined;
    if (content !== undefined) found.push({ workflowId: workflow.name, content, specs });
  }
  return found;
}

async function payloadOf(context: Context, repository: Repository, { actorId, update }: Push): Promise<object | null> {
  if (actorId === ACTIONS_ID) return null;
  const payloads = await context.provided.payloadsOfRef(context, repository, actorId, { ...update, isRename: false });
  const push = payloads.find(({ event }) => event === 'push');
  return push ? { ...push.payload, total_commits: 0 } : null;
}
