import { findRepository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { ACTIONS_ID, actionsUser, ghost } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import type { ExpressionContexts } from '../workflows/file/evaluate.ts';
import { eventPayload } from './event-payload.ts';
import { jobsOfRun } from './find.ts';
import { githubContext } from './github-context.ts';
import { needsOf } from './needs.ts';
import { variablesOfRun } from './variables.ts';

/** The user who triggered a run; even if deleted since, or automation itself. */
export async function triggerUser({ db }: Pick<Context, 'db'>, id: number): Promise<User> {
  return (await findUserById(db, id)) ?? (id === ACTIONS_ID ? actionsUser : ghost);
}

/** The inputs of a run that was started manually. */
export function inputsOfRun(run: Pick<ActionRun, 'event' | 'event_payload'>): object {
  return run.event === 'workflow_dispatch' ? (eventPayload<{ inputs: object }>(run).inputs ?? {}) : {};
}

/**
 * The contexts for expressions of a run, or of one of its jobs. Jobs with needs see the results of these.
 * Undefined when the repository is deleted.
 */
export async function contextsOf(context: Context, run: ActionRun, job?: ActionJob): Promise<ExpressionContexts | undefined> {
  const repository = await findRepository(context.db, run.repository_id);
  if (!repository) return undefined;
  const actor = await triggerUser(context, run.trigger_user_id);
  const needs = job ? await needsOf(context.db, job, await jobsOfRun(context.db, run.id)) : {};
  return {
    github: githubContext(context, repository, actor, run, { job }),
    vars: await variablesOfRun(context, run),
    inputs: inputsOfRun(run),
    needs,
  };
}
