/** The columns whose texts may have a million characters, with their tables. */
export const LONG_TEXTS: ReadonlySet<string> = new Set([
  'action_events.payload',
  'action_jobs.payload',
  'action_runs.event_payload',
  'action_schedules.content',
  'action_schedules.event_payload',
  'activities.content',
  'code_comments.diff_hunk',
  'comments.body',
  'content_versions.body',
  'events.payload',
  'issues.body',
  'milestones.description',
  'package_versions.metadata',
  'projects.description',
  'pull_auto_merges.message',
  'releases.note',
  'reviews.body',
  'webhook_deliveries.payload',
]);

/** A column of a result; its table and column are null for an expression. */
interface Column {
  readonly table: string | null;
  readonly column: string | null;
}

/** A column of a result that may have long texts. */
export interface LongColumn {
  /** The position in the result. */
  readonly at: number;
  /** The table and the column. */
  readonly name: string;
}

/** The columns of a result that may have long texts. */
export function longColumns(columns: readonly Column[]): LongColumn[] {
  return columns.flatMap(({ table, column }, at) => {
    const name = `${table}.${column}`;
    return LONG_TEXTS.has(name) ? [{ at, name }] : [];
  });
}

/** The number of characters in these columns of a row. */
export function lengthOf(row: readonly unknown[], columns: readonly LongColumn[]): number {
  let length = 0;
  for (const { at } of columns) {
    const value = row[at];
    if (typeof value === 'string') length += value.length;
  }
  return length;
}
