import { findRepositories } from '../access/find-repository.ts';
import { presentUser } from '../accounts/users/present.ts';
import type { Context } from '../context.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { presentComments } from '../issues/comments/present.ts';
import { findIssuesById } from '../issues/find.ts';
import { findPeople } from '../issues/people.ts';
import { presentRepositories } from '../repositories/present.ts';
import type { FeedRow } from './feeds.ts';
import type { Activity } from './schema.ts';

/** Activities on the wire, in as many queries as for one. */
export async function presentActivities(context: Context, rows: readonly FeedRow[]): Promise<Shape<typeof Activity>[]> {
  const { db } = context;
  const people = await findPeople(
    db,
    rows.map((row) => row.actor_id),
    [context.actor],
  );
  const repositories = await findRepositories(
    db,
    rows.map((row) => row.repository_id),
  );
  const shapes = new Map((await presentRepositories(context, repositories)).map((shape) => [shape.id, shape]));
  const comments = await commentsOf(context, rows);
  return rows.flatMap((row) => {
    const repo = shapes.get(row.repository_id);
    if (!repo) return [];
    const comment = comments.get(row.comment_id ?? 0) ?? null;
    return {
      id: row.id,
      user_id: row.user_id,
      op_type: row.type,
      act_user_id: row.actor_id,
      act_user: presentUser(context, people(row.actor_id)),
      repo_id: row.repository_id,
      repo,
      comment_id: comment?.id ?? 0,
      comment,
      ref_name: row.ref,
      is_private: repo.private ?? false,
      content: row.content,
      created: wireTime(row.created_at),
    };
  });
}

async function commentsOf(context: Context, rows: readonly FeedRow[]) {
  const ids = rows.flatMap((row) => row.comment_id ?? []);
  if (ids.length === 0) return new Map();
  const found = await context.db.selectFrom('comments').selectAll().where('id', 'in', ids).execute();
  const issues = await findIssuesById(
    context.db,
    found.map((comment) => comment.issue_id),
  );
  const on = found.flatMap((comment) => {
    const issue = issues.get(comment.issue_id);
    return issue ? [{ comment, issue }] : [];
  });
  // Feeds show comments without their authors: clients know them so.
  return new Map((await presentComments(context, on)).map((comment) => [comment.id, { ...comment, user: null }]));
}
