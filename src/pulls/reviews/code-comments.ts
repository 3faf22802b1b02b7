import { text } from 'node:stream/consumers';
import type { Context } from '../../context.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import { diffBetween } from '../../git/diff/diff.ts';
import { hunkAround, unchangedHunk } from '../../git/diff/hunks.ts';
import { lineOrigin } from '../../git/history/blame.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { GitError } from '../../git/processes/process.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry, splitPath } from '../../git/trees/trees.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Issue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import type { Pull } from '../find.ts';
import type { CodeComment } from './present.ts';

/** A new comment on a line of code. */
export interface NewCodeComment {
  path: string;
  body: string;
  /** From 1 on the side of the head; negative on that of the base; 0 for the file as a whole. */
  line: number;
  /** The number of lines, of which `line` is the last; one when left out. */
  lineCount?: number;
}

/** The same with the facts that git knows about the line. */
export interface PlacedComment extends NewCodeComment {
  /** The commit that last changed the line. */
  commitId: string;
  hunk: string;
  /** The commit that the line number refers to. */
  anchorId: string;
}

/** Maximum number of comments of one review. */
const MAX_COMMENTS = 300;
const MAX_LINE = 2 ** 31 - 1;
/** Maximum number of lines of one comment. */
const MAX_LINE_COUNT = 200;
const MAX_PATH = 4096;
/** Lines of a diff that are shown above a comment. */
const HUNK_LINES = 4;
/** Size limit of a diff or a file in which the line is searched. */
const MAX_READ = 16 * 1024 * 1024;
/** Time limit of git for all comments of a review; later ones are stored without its facts. */
const TIMEOUT_MS = 20_000;

/**
 * Finds the commits of the commented lines, and the parts of the diff that contain them.
 * @param reviewed the reviewed commit
 * @throws HttpError 422 for invalid paths and lines, and too many comments
 */
export async function placeComments(
  context: Context,
  pull: Pull,
  comments: readonly NewCodeComment[],
  reviewed: string,
): Promise<PlacedComment[]> {
  if (comments.length > MAX_COMMENTS) throw unprocessable(`more than ${MAX_COMMENTS} comments`);
  for (const { path, line, lineCount = 1 } of comments) {
    if (path === '' || path.length > MAX_PATH || !splitPath(path)) throw unprocessable(`path is invalid: ${path.slice(0, 200)}`);
    if (Math.abs(line) > MAX_LINE) throw unprocessable(`line is out of range: ${line}`);
    if (lineCount < 1 || lineCount > MAX_LINE_COUNT || lineCount > Math.max(1, Math.abs(line)))
      throw unprocessable(`too many lines: ${lineCount}`);
  }
  const end = performance.now() + TIMEOUT_MS;
  const positions = new Map<string, Promise<Omit<PlacedComment, keyof NewCodeComment>>>();
  const diffs = new Map<string, Promise<string>>();
  const placed: PlacedComment[] = [];
  for (const comment of comments) {
    const key = `${comment.line} ${comment.lineCount ?? 1} ${comment.path}`;
    const diff = diffs.get(comment.path) ?? diffOf(context, pull, { path: comment.path, reviewed }, end);
    diffs.set(comment.path, diff);
    const position = positions.get(key) ?? positionOf(context, pull, comment, reviewed, diff, end);
    positions.set(key, position);
    placed.push({ ...comment, ...(await position) });
  }
  return placed;
}

async function positionOf(
  context: Context,
  pull: Pull,
  { path, line, lineCount = 1 }: NewCodeComment,
  reviewed: string,
  diff: Promise<string>,
  end: number,
): Promise<Omit<PlacedComment, keyof NewCodeComment>> {
  const located = context.git.locate(pull.issue.repository);
  const timeoutMs = end - performance.now();
  const origin = line > 0 && timeoutMs > 0 ? await lineOrigin(located, reviewed, path, line, { timeoutMs }) : undefined;
  const commitId = origin ?? pull.head_id;
  const number = Math.abs(line);
  // Lines of the other side may be between those of a longer range.
  const shown = Math.max(HUNK_LINES, 2 * (lineCount - 1));
  const hunk = number === 0 ? '' : hunkAround(await diff, number, line < 0 ? 'old' : 'new', shown);
  return {
    commitId,
    hunk: hunk ?? (await unchanged(context, located, commitId, path, { line: number, shown })),
    anchorId: line < 0 ? pull.merge_base : reviewed,
  };
}

/** The diff of a file in the pull request; empty where it is too large to show. */
async function diffOf(context: Context, pull: Pull, { path, reviewed }: { path: string; reviewed: string }, end: number): Promise<string> {
  const timeoutMs = end - performance.now();
  if (pull.merge_base === '' || timeoutMs <= 0) return '';
  const located = context.git.locate(pull.issue.repository);
  try {
    return await text(diffBetween(located, pull.merge_base, reviewed, { paths: [path], timeoutMs, maxOutput: MAX_READ }));
  } catch (error) {
    if (error instanceof GitError) return '';
    throw error;
  }
}

async function unchanged(
  { git: { pool } }: Context,
  located: GitRepository,
  commitId: string,
  path: string,
  { line, shown }: { line: number; shown: number },
): Promise<string> {
  const commit = await readCommit(located, pool, commitId);
  const entry = commit && (await findEntry(located, pool, commit.tree, path));
  const info = entry?.type === 'blob' ? await pool.info(located, entry.oid) : undefined;
  const blob = info && info.size <= MAX_READ ? await pool.read(located, info.oid, { maxSize: MAX_READ }) : undefined;
  const hunk = blob && unchangedHunk(blob.data.toString('utf8'), line, shown);
  // Clients expect these hunks with a line end, others without.
  return hunk === undefined ? '' : `${hunk}\n`;
}

/** Writes the comments of a review. The caller holds the lock of the issues. */
export async function addCodeComments(
  context: Context,
  issue: Issue,
  review: Pick<ReviewRow, 'id'>,
  comments: readonly PlacedComment[],
): Promise<void> {
  for (const { path, line, lineCount = 1, body, commitId, hunk, anchorId } of comments) {
    const { id } = await addEvent(context, issue, 'code', { body, commit_id: commitId, review_id: review.id });
    const place = { path, line, line_count: lineCount, current_line: line === 0 ? null : line, anchor_id: anchorId };
    const position = { comment_id: id, ...place, diff_hunk: hunk };
    await context.db.insertInto('code_comments').values(position).execute();
  }
}

/** The comments on code of a review, oldest first. */
export async function codeCommentsOf({ db }: Pick<Context, 'db'>, review: Pick<ReviewRow, 'id'>): Promise<CodeComment[]> {
  return db
    .selectFrom('comments')
    .innerJoin('code_comments', 'code_comments.comment_id', 'comments.id')
    .selectAll(['comments', 'code_comments'])
    .where('comments.review_id', '=', review.id)
    .where('comments.kind', '=', 'code')
    .orderBy('comments.created_at')
    .orderBy('comments.id')
    .execute();
}
