import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { CommitStatusRow } from '../../database/tables/code.ts';
import type { Tables } from '../../database/tables.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import type { Shape } from '../../http/schema.ts';
import { missingObject } from '../revision.ts';
import { type CreateStatusOption, STATES } from './schema.ts';

/** The state of a check. */
export type StatusState = CommitStatusRow['state'];

/** The filter and the order of statuses. */
export interface StatusFilter {
  readonly state?: string | undefined;
  readonly sort?: string | undefined;
}

const FILTERED: readonly string[] = ['pending', 'success', 'error', 'failure', 'warning'];

/** By the name of the order. The two names with "index" have always meant the opposite. */
const ORDERS: Record<string, readonly ['created_at' | 'updated_at' | 'id', 'asc' | 'desc']> = {
  oldest: ['created_at', 'asc'],
  recentupdate: ['updated_at', 'desc'],
  leastupdate: ['updated_at', 'asc'],
  leastindex: ['id', 'desc'],
  highestindex: ['id', 'asc'],
};

/**
 * Adds a status to a commit, besides earlier ones.
 * @param revision the commit, or a name of it
 * @throws HttpError 404, 422 for an unknown state
 */
export async function createStatus(
  context: Context,
  repository: Repository,
  revision: string,
  { state, target_url, description, context: check }: Shape<typeof CreateStatusOption>,
): Promise<CommitStatusRow> {
  if (!isState(state)) throw unprocessable('[State]: In');
  const sha = await resolveCommit(context.git.locate(repository), context.git.pool, revision);
  if (sha === undefined) throw notFound([missingObject(revision)]);
  return await recordStatus(context, repository, {
    sha,
    state,
    target_url: (target_url ?? '').trim(),
    description: (description ?? '').trim(),
    context: (check ?? '').trim(),
    creatorId: context.actor?.id ?? repository.owner_id,
  });
}

/** A status to record as it is. */
export interface NewStatus {
  readonly sha: string;
  readonly state: StatusState;
  readonly target_url: string;
  readonly description: string;
  readonly context: string;
  /** {@link ACTIONS_ID} for automation. */
  readonly creatorId: number;
}

/** Records the status of an existing commit, and emits its event. */
export async function recordStatus(context: Context, repository: Repository, status: NewStatus): Promise<CommitStatusRow> {
  const [row] = await recordStatuses(context, repository, status.sha, [status]);
  if (!row) throw new Error('a status was not recorded');
  return row;
}

/** Number of rows that one statement inserts. */
const BATCH = 100;

/** {@link recordStatus} for several statuses of one commit, in their order. */
export async function recordStatuses(
  context: Context,
  repository: Repository,
  sha: string,
  statuses: readonly NewStatus[],
): Promise<CommitStatusRow[]> {
  if (statuses.length === 0) return [];
  const time = now();
  return await inTransaction(context, async (context) => {
    const first = await nextNumbers(context, repository, sha, statuses.length);
    const rows: CommitStatusRow[] = [];
    for (let at = 0; at < statuses.length; at += BATCH) {
      const values = statuses.slice(at, at + BATCH).map(({ creatorId, ...status }, index) => ({
        ...status,
        repository_id: repository.id,
        number: first + at + index,
        // Automation has no row.
        creator_id: creatorId === ACTIONS_ID ? null : creatorId,
        created_at: time,
        updated_at: time,
      }));
      rows.push(...(await context.db.insertInto('commit_statuses').values(values).returningAll().execute()));
    }
    rows.sort((a, b) => a.number - b.number);
    for (const [at, { id, sha }] of rows.entries()) {
      const event = { repositoryId: repository.id, statusId: id, sha, actorId: statuses[at]?.creatorId ?? ACTIONS_ID };
      await context.events.emit(context, 'commit.status', event);
    }
    return rows;
  });
}

/** The first of several new status numbers of a commit. Until the transaction ends, other statuses of this commit wait. */
async function nextNumbers({ db }: Context, repository: Repository, sha: string, count: number): Promise<number> {
  const { last_number } = await db
    .insertInto('commit_status_counts')
    .values({ repository_id: repository.id, sha, last_number: count })
    .onConflict((conflict) =>
      conflict
        .columns(['repository_id', 'sha'])
        .doUpdateSet((row) => ({ last_number: row('commit_status_counts.last_number', '+', count) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number - count + 1;
}

/** A page of the statuses of a commit, and their number. */
export async function listStatuses(
  { db }: Context,
  repository: Repository,
  sha: string,
  filter: StatusFilter,
  page: Page,
): Promise<{ statuses: CommitStatusRow[]; total: number }> {
  const wanted = (where: ExpressionBuilder<Tables, 'commit_statuses'>): Expression<SqlBool> =>
    where.and([
      where('repository_id', '=', repository.id),
      where('sha', '=', sha),
      ...(isState(filter.state) && FILTERED.includes(filter.state) ? [where('state', '=', filter.state)] : []),
    ]);
  const [column, direction] = ORDERS[filter.sort ?? ''] ?? (['created_at', 'desc'] as const);
  const { total } = await db
    .selectFrom('commit_statuses')
    .select((select) => select.fn.countAll().as('total'))
    .where(wanted)
    .executeTakeFirstOrThrow();
  const statuses = await db
    .selectFrom('commit_statuses')
    .selectAll()
    .where(wanted)
    .orderBy(column, direction)
    // Within a second, the first comes first, in both directions.
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { statuses, total: Number(total) };
}

/** The latest status of each check of a commit, in the order of creation. */
export async function latestStatuses({ db }: Pick<Context, 'db'>, repository: Repository, sha: string): Promise<CommitStatusRow[]> {
  return await latestOf(db, repository, sha).selectAll().orderBy('id').execute();
}

/** A page of the latest statuses of the checks of a commit, and their combined state. */
export interface Combined {
  /** That of the page alone, as clients know it: with a limit they read the newest checks only. */
  readonly state: StatusState;
  readonly statuses: readonly CommitStatusRow[];
  /** The number of all checks. */
  readonly total: number;
}

/** Whole rows are read for the page alone: there may be very many checks. The first page has the newest, in the order of creation. */
export async function combinedStatus({ db }: Pick<Context, 'db'>, repository: Repository, sha: string, page: Page): Promise<Combined> {
  const latest = await latestOf(db, repository, sha).select('id').orderBy('id').execute();
  const end = Math.max(0, latest.length - page.offset);
  const ids = latest.slice(Math.max(0, end - page.limit), end).map(({ id }) => id);
  const shown = db.selectFrom('commit_statuses').selectAll().where('id', 'in', ids).orderBy('id');
  const statuses = ids.length > 0 ? await shown.execute() : [];
  return { state: combinedState(statuses.map(({ state }) => state)), statuses, total: latest.length };
}

function latestOf(db: Db, { id }: Repository, sha: string) {
  return db.selectFrom('commit_statuses').where('id', 'in', (select) =>
    select
      .selectFrom('commit_statuses as newest')
      .select((of) => of.fn.max('newest.id').as('id'))
      .where('newest.repository_id', '=', id)
      .where('newest.sha', '=', sha)
      .groupBy('newest.context'),
  );
}

/** The combined state: failures count first, then pending ones; without any it is pending. */
export function combinedState(states: readonly StatusState[]): StatusState {
  if (states.some((state) => state === 'error' || state === 'failure' || state === 'warning')) return 'failure';
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success';
}

function isState(state: string | undefined): state is StatusState {
  return STATES.some((known) => known === state);
}
