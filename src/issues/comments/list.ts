import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { Page } from '../../http/paging.ts';
import type { TimeRange } from '../../http/time-range.ts';
import type { Issue } from '../find.ts';
import { type CommentOn, SHOWN, type ShownComment } from './present.ts';

const allOf = prepared((db, issueId: number) =>
  db.selectFrom('comments').select(SHOWN).where('issue_id', '=', issueId).where('kind', '=', 'comment').orderBy('created_at').orderBy('id'),
);

/** The comments of an issue, oldest first. */
export async function commentsOf({ db }: Context, issue: Issue, { since, before }: TimeRange): Promise<ShownComment[]> {
  if (since === undefined && before === undefined) return await allOf(db, issue.id);
  return db
    .selectFrom('comments')
    .select(SHOWN)
    .where('issue_id', '=', issue.id)
    .where('kind', '=', 'comment')
    .$if(since !== undefined, (comments) => comments.where('updated_at', '>=', since ?? 0))
    .$if(before !== undefined, (comments) => comments.where('updated_at', '<=', before ?? 0))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The comments in a repository, oldest first: on issues, on pull requests, or both. */
export async function commentsIn(
  { db }: Context,
  repository: Repository,
  { since, before }: TimeRange,
  isPull: boolean | undefined,
  page: Page,
): Promise<{ comments: CommentOn[]; total: number }> {
  const matching = db
    .selectFrom('comments')
    .where('comments.repository_id', '=', repository.id)
    .where('comments.kind', '=', 'comment')
    .$if(since !== undefined, (comments) => comments.where('comments.updated_at', '>=', since ?? 0))
    .$if(before !== undefined, (comments) => comments.where('comments.updated_at', '<=', before ?? 0))
    .$if(isPull !== undefined, (comments) =>
      comments.where('comments.issue_id', 'in', (select) =>
        select
          .selectFrom('issues')
          .select('id')
          .where('repository_id', '=', repository.id)
          .where('is_pull', '=', isPull ?? false),
      ),
    );
  const isWhole = since === undefined && before === undefined;
  const [rows, counted] = await Promise.all([
    matching.select(SHOWN).orderBy('comments.created_at').orderBy('comments.id').limit(page.limit).offset(page.offset).execute(),
    (isWhole
      ? storedCount(db, repository, isPull)
      : matching.select((select) => select.fn.countAll<number>().as('count'))
    ).executeTakeFirstOrThrow(),
  ]);
  const issueIds = [...new Set(rows.map((row) => row.issue_id))];
  const issues = issueIds.length === 0 ? [] : await db.selectFrom('issues').selectAll().where('id', 'in', issueIds).execute();
  const byId = new Map(issues.map((row) => [row.id, { ...row, repository }]));
  const comments = rows.flatMap((comment) => {
    const issue = byId.get(comment.issue_id);
    return issue ? [{ comment, issue }] : [];
  });
  return { comments, total: Number(counted.count) };
}

function storedCount(db: Db, { id }: Repository, isPull: boolean | undefined) {
  return db
    .selectFrom('issue_counts')
    .select((select) => select.fn.sum<number | null>('count').as('count'))
    .where('repository_id', '=', id)
    .where('mark', '=', 'comment')
    .$if(isPull !== undefined, (counts) => counts.where('is_pull', '=', isPull ?? false));
}
