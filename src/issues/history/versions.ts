import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { ContentVersionRow } from '../../database/tables/issue-activity.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import { notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { canWriteIssue, type Issue } from '../find.ts';
import { isHiddenComment, isPublished } from '../pending.ts';

const ENTRY = ['id', 'comment_id', 'author_id', 'is_first', 'is_deleted', 'written_at'] as const;

/** A version without its text. */
export type VersionEntry = Pick<ContentVersionRow, (typeof ENTRY)[number]>;

/**
 * The versions of an issue's texts, newest first, by the id of the comment; 0 for the issue's own text. Texts with one version, which
 * were never edited, are left out.
 */
export async function versionsOf(
  { db }: Pick<Context, 'db'>,
  { id }: Pick<Issue, 'id'>,
  commentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly VersionEntry[]>> {
  const rows = await db
    .selectFrom('content_versions')
    .select(ENTRY)
    .where('issue_id', '=', id)
    .where((where) =>
      where.or([where('comment_id', 'is', null), ...(commentIds.length > 0 ? [where('comment_id', 'in', commentIds)] : [])]),
    )
    .orderBy('written_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const byText = Map.groupBy(rows, (row) => row.comment_id ?? 0);
  return new Map([...byText].filter(([, versions]) => versions.length > 1));
}

/** An edited text of an issue. */
export interface EditedTextEntry {
  /** Null for the issue's own text. */
  readonly comment_id: number | null;
  readonly versions: number;
  /** The time of the newest version. */
  readonly written_at: number;
  /** The author of the text; for the issue's own text, the author of the issue. */
  readonly author_id: number | null;
  readonly original_author: string | null;
}

/** The edited texts of an issue that the caller may see, the last edited first. */
export async function editedTexts(context: Context, { id }: Issue, page: Page): Promise<{ texts: EditedTextEntry[]; total: number }> {
  const edited = context.db
    .selectFrom('content_versions')
    .leftJoin('comments', 'comments.id', 'content_versions.comment_id')
    .where('content_versions.issue_id', '=', id)
    .where((where) =>
      where.or([
        where('content_versions.comment_id', 'is', null),
        where('content_versions.comment_id', 'in', (comments) =>
          comments.selectFrom('comments').select('comments.id').where('comments.issue_id', '=', id).where(isPublished(context)),
        ),
      ]),
    )
    .groupBy(['content_versions.comment_id', 'comments.author_id', 'comments.original_author'])
    .having((select) => select.fn.countAll(), '>', 1)
    .select((select) => [
      'content_versions.comment_id',
      'comments.author_id',
      'comments.original_author',
      select.fn.countAll<number>().as('versions'),
      select.fn.max('content_versions.written_at').as('written_at'),
    ]);
  const texts = await edited
    .orderBy('written_at', 'desc')
    .orderBy('content_versions.comment_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await context.db
    .selectFrom(edited.as('edited'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { texts: texts.map((text) => ({ ...text, versions: Number(text.versions) })), total: Number(total) };
}

/** A version of a text, and the comment it belongs to. */
export interface Version {
  readonly version: ContentVersionRow;
  /** Undefined for the issue's own text. */
  readonly comment: CommentRow | undefined;
}

/**
 * A version of a text of this issue, if the caller may see the text.
 * @throws HttpError 404
 */
export async function findVersion(context: Pick<Context, 'db' | 'actor'>, issue: Issue, id: number): Promise<Version> {
  const { db } = context;
  const version = await db
    .selectFrom('content_versions')
    .selectAll()
    .where('id', '=', id)
    .where('issue_id', '=', issue.id)
    .executeTakeFirst();
  if (!version) throw notFound();
  return { version, comment: version.comment_id === null ? undefined : await commentWithVersions(context, issue, version.comment_id) };
}

/**
 * The comment of this issue whose versions a page is about.
 * @throws HttpError 404
 */
export async function commentWithVersions(context: Pick<Context, 'db' | 'actor'>, issue: Issue, id: number): Promise<CommentRow> {
  const comment = await context.db
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', id)
    .where('issue_id', '=', issue.id)
    .executeTakeFirst();
  if (!comment || (await isHiddenComment(context, comment))) throw notFound();
  return comment;
}

/** The version before this one, skipping deleted ones. */
export async function versionBefore({ db }: Pick<Context, 'db'>, version: ContentVersionRow): Promise<ContentVersionRow | undefined> {
  const { id, issue_id: issueId, comment_id: commentId, written_at: at } = version;
  return db
    .selectFrom('content_versions')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('comment_id', commentId === null ? 'is' : '=', commentId)
    .where('is_deleted', '=', false)
    .where((where) => where.or([where('written_at', '<', at), where.and([where('written_at', '=', at), where('id', '<', id)])]))
    .orderBy('written_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether the caller may delete a version: writers, the author of the text, and the author of the version may. */
export function canDeleteVersion(
  { actor }: Pick<Context, 'actor'>,
  access: RepositoryAccess,
  issue: Issue,
  { version, comment }: Version,
): boolean {
  if (!actor) return false;
  return canWriteIssue(access, issue) || actor.id === (comment ?? issue).author_id || actor.id === version.author_id;
}
