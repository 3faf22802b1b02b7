import { eachOf } from '../../concurrency/each-of.ts';
import { inTransaction } from '../../context.ts';
import type { NewComment } from '../../database/tables/issues.ts';
import { indexComment } from '../../issues/search/index.ts';
import { cutTitle } from '../../issues/title.ts';
import { SourceError } from '../source/errors.ts';
import { pagesOf } from '../source/pages.ts';
import type { SourceComment, SourceIssue } from '../source/source.ts';
import { discardFiles, type NewFile, storeAssets } from './assets.ts';
import type { WrittenIssue } from './issue-rows.ts';
import { type AttributedReaction, attributeReactions, insertReactions } from './reactions.ts';
import type { Target } from './run.ts';

/** A comment that is ready to be written. */
interface Prepared {
  readonly row: NewComment;
  readonly reactions: readonly AttributedReaction[];
  readonly files: readonly NewFile[];
}

/** Comments of one transaction, and characters of their texts. */
const ROWS = 200;
const CHARACTERS = 1_000_000;
/** Comments of one issue. */
const MAX_COMMENTS = 100_000;
/** Number of issues whose comments are read at once. */
const AT_ONCE = 4;

/** Brings over the comments of issues or pull requests that have just been written, and counts them. */
export async function writeComments(target: Target, issues: readonly WrittenIssue<SourceIssue>[]): Promise<void> {
  await eachOf(issues, AT_ONCE, (issue) => writeCommentsOf(target, issue));
}

async function writeCommentsOf(target: Target, { id, source }: WrittenIssue<SourceIssue>): Promise<void> {
  if (!source.comments) return;
  let waiting: Prepared[] = [];
  let characters = 0;
  let count = 0;
  for await (const comments of pagesOf(source.comments)) {
    count += comments.length;
    if (count > MAX_COMMENTS) throw new SourceError('content', `#${source.number} has more than ${MAX_COMMENTS} comments`);
    for (const comment of comments) {
      const prepared = await prepare(target, id, comment, source.createdAt ?? 1);
      waiting.push(prepared);
      characters += comment.body.length;
      if (waiting.length < ROWS && characters < CHARACTERS) continue;
      await insert(target, id, waiting);
      waiting = [];
      characters = 0;
    }
  }
  await insert(target, id, waiting);
}

async function prepare(target: Target, issueId: number, comment: SourceComment, opened: number): Promise<Prepared> {
  const { kind, from = '', to = '', assets } = comment;
  const createdAt = comment.createdAt ?? opened;
  const isTitle = kind === 'change_title';
  const reactions = comment.reactions ? await attributeReactions(target, await comment.reactions()) : [];
  const row = {
    issue_id: issueId,
    repository_id: target.repository.id,
    kind,
    ...(await target.people.attribute(comment.author)),
    body: kind === 'comment' ? comment.body : '',
    ...(isTitle ? { old_title: cutTitle(from), new_title: cutTitle(to) } : { old_ref: from, new_ref: to }),
    created_at: createdAt,
    updated_at: comment.updatedAt ?? createdAt,
  };
  return { row, reactions, files: await storeAssets(target, assets, createdAt) };
}

async function insert({ context, repository }: Target, issueId: number, comments: readonly Prepared[]): Promise<void> {
  if (comments.length === 0) return;
  try {
    await inTransaction(context, async (context) => {
      const { db } = context;
      for (const { row, reactions, files } of comments) {
        const { id } = await db.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow();
        if (row.kind === 'comment' && row.body) await indexComment(context, { ...row, id, body: row.body });
        await insertReactions(db, { issueId, commentId: id }, reactions);
        const about = { repository_id: repository.id, uploader_id: row.author_id, issue_id: issueId, comment_id: id };
        if (files.length > 0)
          await db
            .insertInto('attachments')
            .values(files.map((file) => ({ ...file, ...about })))
            .execute();
      }
      const added = comments.filter(({ row }) => row.kind === 'comment').length;
      await db
        .updateTable('issues')
        .set((issue) => ({ comments_count: issue('comments_count', '+', added) }))
        .where('id', '=', issueId)
        .execute();
    });
  } catch (error) {
    await discardFiles(
      context,
      comments.flatMap(({ files }) => files),
    );
    throw error;
  }
}
