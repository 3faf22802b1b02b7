import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
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
  readonly times: readonly ScheduledTime[];
}

/** A schedule, and its next time in seconds. */
interface ScheduledTime {
  readonly spec: string;
  readonly next_at: number;
}

/** A push to the default branch. */
interface Push {
  readonly actorId: number;
  readonly update: RefUpdate;
}

/** Maximum number of schedules of one workflow, and of all of a repository: finding the next time of one takes some milliseconds. */
const MAX_SPECS = 50;
const MAX_ALL_SPECS = 500;
/** Maximum length of the workflows of a repository that have schedules, in characters: they are stored with each push. */
const MAX_CONTENT = 16 * 1024 * 1024;

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
  const time = now();
  const scheduled = folder ? await scheduledIn(context, repository, folder, time) : [];
  const { git } = context;
  const commit = await readCommit(git.locate(repository), git.pool, update.newId);
  // Later runs have the payload of the push that added the schedule.
  const payload = scheduled.length > 0 ? await payloadOf(context, repository, push) : null;
  await inTransaction(context, async ({ db }) => {
    await deleteSchedules(db, repository.id);
    for (const { workflowId, content, times } of scheduled) {
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
      const rows = times.map((row) => ({ ...row, schedule_id: id, repository_id: repository.id }));
      if (rows.length > 0) await db.insertInto('action_schedule_specs').values(rows).execute();
    }
  });
}

async function scheduledIn(context: Context, repository: Repository, folder: WorkflowFolder, time: number): Promise<Scheduled[]> {
  const found: Scheduled[] = [];
  let [specsLeft, contentLeft] = [MAX_ALL_SPECS, MAX_CONTENT];
  for (const workflow of await readWorkflows(context, repository, folder.files)) {
    if (!('value' in workflow.result)) continue;
    const specs = workflow.result.value.triggers.flatMap(({ schedules }) => schedules).slice(0, MAX_SPECS);
    const content = specs.length > 0 ? await contentOf(context, repository, workflow) : undefined;
    if (content === undefined) continue;
    specsLeft -= specs.length;
    contentLeft -= content.length;
    if (specsLeft < 0 || contentLeft < 0) {
      context.log.warn({ repository: repository.id, workflow: workflow.name }, 'a repository has too many schedules, or too long ones');
      break;
    }
    found.push({ workflowId: workflow.name, content, times: await timesOf(specs, time) });
  }
  return found;
}

/** The schedules that have a next time. */
async function timesOf(specs: readonly string[], after: number): Promise<ScheduledTime[]> {
  const slice = new TimeSlice();
  const times: ScheduledTime[] = [];
  for (const spec of specs) {
    const next = nextTime(spec, after);
    if (next !== null) times.push({ spec, next_at: next });
    if (slice.isOver) await slice.next();
  }
  return times;
}

async function payloadOf(context: Context, repository: Repository, { actorId, update }: Push): Promise<object | null> {
  if (actorId === ACTIONS_ID) return null;
  const payloads = await context.provided.payloadsOfRef(context, repository, actorId, { ...update, isRename: false });
  const push = payloads.find(({ event }) => event === 'push');
  return push ? { ...push.payload, total_commits: 0 } : null;
}
