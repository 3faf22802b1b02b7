import type { Context } from '../../context.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { attachmentsOfComments, presentAttachment } from '../attachments/present.ts';
import type { Issue } from '../find.ts';
import { findPeople, presentPeople } from '../people.ts';
import { issueHtmlUrl } from '../urls.ts';
import type { Comment } from './schema.ts';

type Wire = Shape<typeof Comment>;

/** The columns of comments for presentation; other timeline rows have as many again. */
export const SHOWN = ['id', 'issue_id', 'author_id', 'original_author', 'original_author_id', 'body', 'created_at', 'updated_at'] as const;

/** The presented columns of a comment. */
export type ShownComment = Pick<CommentRow, (typeof SHOWN)[number]>;

/** A comment with its issue. */
export interface CommentOn {
  comment: ShownComment;
  issue: Issue;
}

/** A comment on the wire. */
export async function presentComment(context: Context, comment: ShownComment, issue: Issue): Promise<Wire> {
  return only(await presentComments(context, [{ comment, issue }]));
}

/** {@link presentComment} for a list, in as many queries as for one. */
export async function presentComments(context: Context, comments: readonly CommentOn[]): Promise<Wire[]> {
  const ids = comments.map(({ comment }) => comment.id);
  const authorIds = comments.map(({ comment }) => comment.author_id);
  const [people, attachments] = await Promise.all([
    findPeople(context.db, authorIds, [context.actor]),
    attachmentsOfComments(context, ids),
  ]);
  const author = presentPeople(context, people, null);
  const pages = new Map<Issue, string>();
  const pageOf = (issue: Issue) => {
    const page = pages.get(issue) ?? issueHtmlUrl(context.settings, issue);
    pages.set(issue, page);
    return page;
  };
  return comments.map(({ comment, issue }) => ({
    id: comment.id,
    ...addressesOn(pageOf(issue), comment, issue),
    user: author(comment.author_id),
    original_author: comment.original_author,
    original_author_id: comment.original_author_id,
    body: comment.body,
    assets: (attachments.get(comment.id) ?? []).map((attachment) => presentAttachment(context, attachment)),
    created_at: wireTime(comment.created_at),
    updated_at: wireTime(comment.updated_at),
  }));
}

/** The URL of a comment or another timeline row, and the URL of its issue or pull request. */
export function commentUrls(
  { settings }: Pick<Context, 'settings'>,
  comment: Pick<CommentRow, 'id'>,
  issue: Issue,
): Pick<Wire, 'html_url' | 'pull_request_url' | 'issue_url'> {
  return addressesOn(issueHtmlUrl(settings, issue), comment, issue);
}

function addressesOn(page: string, comment: Pick<CommentRow, 'id'>, issue: Issue) {
  return {
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: issue.is_pull ? page : '',
    issue_url: issue.is_pull ? '' : page,
  };
}
