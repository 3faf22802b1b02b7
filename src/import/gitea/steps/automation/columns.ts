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

/** The state that a row has; nobody will ever change an unknown one, so it counts as cancelled. */
export function statusOf(row: Row): ActionStatus {
  return STATUSES[row.integer('status')] ?? 'cancelled';
}

/** The owners of the imported repositories that rows name, by the repository's id. */
export async function ownersOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const ids = [0, ...new Set(rows.map((row) => row.integer('repo_id')))];
  const found = await batch.context.db.selectFrom('repositories').select(['id', 'owner_id']).where('id', 'in', ids).execute();
  return new Map(found.map(({ id, owner_id }) => [id, owner_id]));
}

/** When something began and ended, was made and changed. */
export function timesOf(row: Row) {
  return {
    started_at: row.time('started'),
    stopped_at: row.time('stopped'),
    created_at: row.time('created'),
    updated_at: row.time('updated'),
  };
}

/** A JSON text, or that of nothing where it is none, such as one that was cut off. */
export function jsonText(row: Row, column: string): string {
  return row.json(column) === undefined ? 'null' : row.text(column);
}
