import { GHOST_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { CommentRow, NewComment, TimelineKind } from '../../database/tables/issues.ts';
import type { Issue } from '../find.ts';

/** The fields of a timeline row besides its kind. */
export type EventDetails = Partial<
  Omit<NewComment, 'id' | 'issue_id' | 'repository_id' | 'kind' | 'author_id' | 'created_at' | 'updated_at'>
>;

/**
 * Adds a row to an issue's timeline in the caller's name, and updates the issue's time of change. The caller holds the lock of the issues,
 * see issues/find.ts.
 */
export async function addEvent(
  context: Context,
  issue: Pick<Issue, 'id' | 'repository_id'>,
  kind: TimelineKind,
  details: EventDetails = {},
): Promise<CommentRow> {
  const at = now();
  const [row] = await insert(context.db, {
    ...details,
    issue_id: issue.id,
    repository_id: issue.repository_id,
    kind,
    author_id: context.actor?.id ?? GHOST_ID,
    created_at: at,
    updated_at: at,
  });
  if (!row) throw new Error('a row of a timeline was not inserted');
  await touch(context, issue.id, at);
  return row;
}

const inserts = new Map<string, (db: Db, ...values: unknown[]) => Promise<CommentRow[]>>();

/** There are as many statements as sets of columns, each compiled once. */
function insert(db: Db, row: NewComment): Promise<CommentRow[]> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = given.map(([column]) => column);
  const key = columns.join();
  let statement = inserts.get(key);
  if (!statement) {
    statement = prepared((db, ...values: unknown[]) =>
      db
        .insertInto('comments')
        .values(Object.fromEntries(columns.map((column, at) => [column, values[at]])) as unknown as NewComment)
        .returningAll(),
    );
    inserts.set(key, statement);
  }
  return statement(db, ...given.map(([, value]) => value));
}

const touchRow = prepared((db, at: number, issueId: number) =>
  db.updateTable('issues').set({ updated_at: at }).where('id', '=', issueId).where('updated_at', '<', at),
);

/** Updates the issue's time of change. */
export async function touch({ db }: Context, issueId: number, at = now()): Promise<void> {
  await touchRow(db, at, issueId);
}
