import { findRepository, type Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { followedRefs, isNone } from '../../code/pushed-commits.ts';
import { type Context, inTransaction } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionEvent } from '../../database/tables/actions.ts';
import { readCommit } from '../../git/objects/commits.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { peelToCommit } from '../../git/refs/tags.ts';
import { insertRuns } from '../jobs/create-run.ts';
import type { PreparedRun } from '../jobs/prepare-run.ts';
import { followSchedules } from '../schedules/follow.ts';
import { commitOfRef, workflowsOf } from '../workflows/files.ts';
import { learnDefaultBranch, versionOfDefaultBranch } from './enqueue.ts';
import { isOfDefaultBranch } from './events.ts';
import { LimitedRuns } from './limit.ts';
import type { EventPayload } from './match.ts';
import { type Happening, runsOf } from './runs-of-event.ts';

/** Seconds after which an event is given up, and after which stuck events are searched. */
const GIVE_UP = 1800;
const STUCK = 600;
/** Events that are looked at for that. */
const RESUMED = 100;

const firstOf = prepared((db, repositoryId: number) =>
  db.selectFrom('action_events').selectAll().where('repository_id', '=', repositoryId).orderBy('id').limit(1),
);

const removeEvent = prepared((db, id: number) => db.deleteFrom('action_events').where('id', '=', id).returning('id'));

/** Starts the workflows of the events in a repository's queue, in order. An event is removed from the queue with the runs that it starts. */
export async function handleTriggers({ repositoryId }: { repositoryId: number }, context: Context): Promise<void> {
  for (;;) {
    const [event] = await firstOf(context.db, repositoryId);
    if (!event) return;
    try {
      await handleEvent(context, event);
    } catch (error) {
      // The job is retried. A permanent failure must not block the other events.
      if (now() - event.created_at < GIVE_UP) throw error;
      context.log.error(
        { repository: repositoryId, event: event.event, error },
        'an event starts no workflows, because that fails for too long',
      );
      await removeEvent(context.db, event.id);
    }
  }
}

/** Continues with queues whose job was given up. */
export async function resumeTriggers(context: Context): Promise<void> {
  const left = await context.db.selectFrom('action_events').select(['repository_id', 'created_at']).orderBy('id').limit(RESUMED).execute();
  const stuck = left.filter((event) => now() - event.created_at > STUCK).map((event) => event.repository_id);
  for (const repositoryId of new Set(stuck))
    await context.jobs.add(context, 'actions.trigger', { repositoryId }, { key: `repository ${repositoryId}` });
}

async function handleEvent(context: Context, event: ActionEvent): Promise<void> {
  const repository = await findRepository(context.db, event.repository_id);
  const isOn = repository && !repository.is_archived && repository.units.actions !== undefined;
  const runs = isOn ? await prepareRuns(context, repository, event) : [];
  await inTransaction(context, async (context) => {
    // Another process may have been faster.
    const [removed] = await removeEvent(context.db, event.id);
    if (removed) await insertRuns(context, runs);
  });
}

async function prepareRuns(context: Context, repository: Repository, event: ActionEvent): Promise<PreparedRun[]> {
  if (event.event === 'refs') return await prepareRefs(context, repository, event);
  const plain = JSON.parse(event.payload) as EventPayload & object;
  // Clearing all labels, and deleting a release, have never started workflows.
  if (plain.action === 'label_cleared' || (event.event === 'release' && plain.action === 'deleted')) return [];
  const completed = event.completion ? await context.provided.completePayload(context, plain, event.completion) : {};
  if (!completed) return [];
  const payload: EventPayload = { ...plain, ...completed };
  const defaultRef = `refs/heads/${repository.default_branch}`;
  const ref = isOfDefaultBranch(event.event) ? defaultRef : (event.ref ?? defaultRef);
  const commit =
    payload.pull_request && !isOfDefaultBranch(event.event) && ref.startsWith('refs/pull/')
      ? payload.pull_request.head.sha
      : await commitOf(context, repository, ref);
  if (commit === undefined) return [];
  if (isOfDefaultBranch(event.event) && !(await hasWorkflows(context, repository, commit))) return [];
  const { event: name, actor_id: actorId, issue_id: issueId } = event;
  const runs = new LimitedRuns();
  runs.add(context, repository, await runsOf(context, repository, { event: name, actorId, issueId, ref, commit, payload }));
  return runs.all;
}

/** Whether the default branch has workflows; stored for later events. */
async function hasWorkflows(context: Context, repository: Repository, commit: string): Promise<boolean> {
  const version = await versionOfDefaultBranch(context, repository.id);
  const folder = await workflowsOf(context, repository, commit);
  // It may have moved since the commit was read: the result is only stored for the current commit.
  if ((await commitOfRef(context, repository, `refs/heads/${repository.default_branch}`)) === commit)
    await learnDefaultBranch(context, repository, version, folder);
  return (folder?.files.length ?? 0) > 0;
}

async function commitOf(context: Context, repository: Repository, ref: string): Promise<string | undefined> {
  if (ref.startsWith('refs/')) return await commitOfRef(context, repository, ref);
  const { git } = context;
  return (await readCommit(git.locate(repository), git.pool, ref))?.oid;
}

interface MovedRefs {
  readonly updates: readonly RefUpdate[];
  readonly isRename: boolean;
}

async function prepareRefs(context: Context, repository: Repository, event: ActionEvent): Promise<PreparedRun[]> {
  const { updates, isRename } = JSON.parse(event.payload) as MovedRefs;
  const defaultRef = `refs/heads/${repository.default_branch}`;
  const runs = new LimitedRuns();
  for (const update of followedRefs(repository, updates)) {
    if (update.ref === defaultRef) await lookAtDefaultBranch(context, repository, event.actor_id, update);
    if (event.actor_id === ACTIONS_ID) continue;
    const more = await prepareRef(context, repository, event.actor_id, { ...update, isRename });
    if (!runs.add(context, repository, more)) break;
  }
  return runs.all;
}

async function lookAtDefaultBranch(context: Context, repository: Repository, actorId: number, update: RefUpdate): Promise<void> {
  const version = await versionOfDefaultBranch(context, repository.id);
  const commit = await commitOfRef(context, repository, update.ref);
  const folder = commit === undefined ? undefined : await workflowsOf(context, repository, commit);
  await learnDefaultBranch(context, repository, version, folder);
  // A newer push updates the schedules itself.
  if (commit === update.newId) await followSchedules(context, repository, folder, { actorId, update });
}

/** The runs for a moved ref. If the commit has no workflow files, only its tree is read. */
async function prepareRef(
  context: Context,
  repository: Repository,
  actorId: number,
  update: RefUpdate & { isRename: boolean },
): Promise<PreparedRun[]> {
  const isGone = isNone(update.newId);
  const { git } = context;
  const ref = isGone ? `refs/heads/${repository.default_branch}` : update.ref;
  const commit = isGone ? await commitOfRef(context, repository, ref) : await peelToCommit(git.locate(repository), git.pool, update.newId);
  const folder = commit === undefined ? undefined : await workflowsOf(context, repository, commit);
  if (commit === undefined || !folder || folder.files.length === 0) return [];
  const runs: PreparedRun[] = [];
  for (const { event, payload } of await context.provided.payloadsOfRef(context, repository, actorId, update)) {
    if (event === 'push' && isGone) continue;
    // Workflows get the full name of the ref, and no number of commits.
    const own = event === 'push' ? { total_commits: 0 } : { ref: update.ref };
    const happening: Happening = { event, actorId, issueId: null, ref, commit, payload: { ...payload, ...own } };
    runs.push(...(await runsOf(context, repository, happening)));
  }
  return runs;
}
