import type { ActionStatus } from '../../../../database/tables/actions.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';

/** States by Gitea's number (models/actions/status.go). */
const STATUSES: readonly (ActionStatus | undefined)[] = [
  undefined,
  'success',
  'failure',
  'cancelled',
  'skipped',
  'waiting',
  'running',
  'blocked',
];

/** The state of a row; unknown ones can never end, so they count as cancelled. */
export function statusOf(row: Row): ActionStatus {
  return STATUSES[row.integer('status')] ?? 'cancelled';
}

/** The owners of the imported repositories that rows refer to, by repository id. */
export async function ownersOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const ids = [0, ...new Set(rows.map((row) => row.integer('repo_id')))];
  const found = await batch.context.db.selectFrom('repositories').select(['id', 'owner_id']).where('id', 'in', ids).execute();
  return new Map(found.map(({ id, owner_id }) => [id, owner_id]));
}

/** Times of start, end, creation and update. */
export function timesOf(row: Row) {
  return {
    started_at: row.time('started'),
    stopped_at: row.time('stopped'),
    created_at: row.time('created'),
    updated_at: row.time('updated'),
  };
}

/** A JSON text, or an empty one if it is invalid, for example cut off. */
export function jsonText(row: Row, column: string): string {
  return row.json(column) === undefined ? 'null' : row.text(column);
}
