import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { followedRefs } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { Events } from '../../events/events.ts';
import { readWorkflows, type WorkflowFolder } from '../workflows/files.ts';
import { isTriggerName } from './events.ts';

/** An event that may start workflows. */
export interface NewTrigger {
  readonly repositoryId: number;
  readonly event: string;
  readonly actorId: number;
  /** The ref whose workflows run; null for the default branch, or the head of the pull request. */
  readonly ref: string | null;
  readonly issueId: number | null;
  readonly payload: string;
  readonly completion: unknown;
}

const addTrigger = prepared(
  (
    db,
    repositoryId: number,
    event: string,
    actorId: number,
    ref: string | null,
    issueId: number | null,
    payload: string,
    completion: string,
    createdAt: number,
  ) =>
    db.insertInto('action_events').values({
      repository_id: repositoryId,
      event,
      actor_id: actorId,
      ref,
      issue_id: issueId,
      payload,
      completion,
      created_at: createdAt,
    }),
);

/** Adds an event to the queue of its repository, in the transaction of the event. */
export async function enqueueTrigger(context: Context, trigger: NewTrigger): Promise<void> {
  const { repositoryId, event, actorId, ref, issueId, payload, completion } = trigger;
  await addTrigger(context.db, repositoryId, event, actorId, ref, issueId, payload, JSON.stringify(completion ?? null), now());
  await context.jobs.add(context, 'actions.trigger', { repositoryId }, { key: `repository ${repositoryId}` });
}

const stateOf = prepared((db, repositoryId: number) =>
  db
    .selectFrom('repositories')
    .leftJoin('action_repositories', 'action_repositories.repository_id', 'repositories.id')
    .select(['units', 'is_empty', 'is_archived', 'default_branch', 'branch', 'has_workflows', 'triggers'])
    .where('repositories.id', '=', repositoryId),
);

/** The events that can start workflows of a repository. */
export interface PossibleTriggers {
  /** The default branch may have workflows. */
  readonly hasOwn: boolean;
  /** The names in `on` of the workflows of the default branch; undefined when they are not known. */
  readonly names: ReadonlySet<string> | undefined;
}

/**
 * The events by a user that can start workflows of a repository; undefined for none. Those of pull requests can even if the default
 * branch has no workflows, because their own commits may. One query.
 */
export async function possibleTriggers(
  { db, settings }: Context,
  repositoryId: number,
  actorId: number,
): Promise<PossibleTriggers | undefined> {
  if (!settings.actions.enabled || actorId === ACTIONS_ID) return undefined;
  const [state] = await stateOf(db, repositoryId);
  if (!state || state.is_empty || state.is_archived || !state.units.actions) return undefined;
  if (state.branch !== state.default_branch) return { hasOwn: true, names: undefined };
  const names = typeof state.triggers === 'string' ? new Set(state.triggers.split(' ')) : undefined;
  return { hasOwn: state.has_workflows ?? true, names };
}

/** Enqueues moved branches and tags. Facts about the default branch become unknown when it moved. */
export async function enqueueRefs(payload: Events['refs.changed'], context: Context): Promise<void> {
  const { repositoryId, actorId, updates, isRename = false } = payload;
  if (!context.settings.actions.enabled) return;
  const [state] = await stateOf(context.db, repositoryId);
  if (!state?.units.actions || state.is_archived) return;
  const relevant = updates.filter(({ ref }) => ref.startsWith('refs/heads/') || ref.startsWith('refs/tags/'));
  if (relevant.length === 0) return;
  if (relevant.some(({ ref }) => ref === `refs/heads/${state.default_branch}`)) await forgetDefaultBranch(context.db, repositoryId);
  const text = JSON.stringify({ updates: followedRefs(state, relevant), isRename });
  await enqueueTrigger(context, { repositoryId, event: 'refs', actorId, ref: null, issueId: null, payload: text, completion: null });
}

const forgetDefaultBranch = prepared((db, repositoryId: number) =>
  db
    .insertInto('action_repositories')
    .values({ repository_id: repositoryId, version: 1, has_workflows: null, triggers: null })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet((row) => ({
        version: row('action_repositories.version', '+', 1),
        has_workflows: null,
        triggers: null,
      })),
    ),
);

const selectVersion = prepared((db, repositoryId: number) =>
  db.selectFrom('action_repositories').select('version').where('repository_id', '=', repositoryId),
);

/** The version of the facts about a default branch, for {@link learnDefaultBranch} after they were read. */
export async function versionOfDefaultBranch({ db }: Context, repositoryId: number): Promise<number> {
  const [row] = await selectVersion(db, repositoryId);
  return row?.version ?? 0;
}

const learn = prepared((db, repository_id: number, version: number, branch: string, has_workflows: boolean, triggers: string) =>
  db
    .insertInto('action_repositories')
    .values({ repository_id, version: 0, branch, has_workflows, triggers })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet({ branch, has_workflows, triggers }).where('action_repositories.version', '=', version),
    ),
);

/** Stores which events start the workflows of the default branch, unless it has changed since that version. */
export async function learnDefaultBranch(
  context: Context,
  repository: Repository,
  version: number,
  folder: WorkflowFolder | undefined,
): Promise<void> {
  const workflows = folder ? await readWorkflows(context, repository, folder.files) : [];
  const names = new Set(workflows.flatMap(({ result }) => ('value' in result ? result.value.triggers.map(({ name }) => name) : [])));
  const triggers = [...names].filter(isTriggerName).join(' ');
  await learn(context.db, repository.id, version, repository.default_branch, workflows.length > 0, triggers);
}
