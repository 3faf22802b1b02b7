import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { changeContents } from '../../code/contents/change.ts';
import { mayWriteTo } from '../../code/protections/decide.ts';
import type { Context } from '../../context.ts';
import type { FileChange } from '../../git/edit/file-change.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { formatIdentity } from '../../git/objects/format-identity.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { conflict, forbidden, notFound, unprocessable } from '../../http/errors.ts';
import type { Pull } from '../find.ts';
import { addTrailer } from '../merge/trailers.ts';
import type { CodeComment } from '../reviews/present.ts';
import { headRepository } from '../update/change-head.ts';
import { suggestedLines } from './parse.ts';
import { type Replacement, withReplacements } from './replace.ts';

/** Identifies a suggestion in a comment on lines of code. */
export interface SuggestionId {
  readonly commentId: number;
  readonly index: number;
}

/** Maximum number of suggestions in one commit. */
const MAX_SUGGESTIONS = 100;
/** Size limit of a file in which lines are replaced. */
const MAX_FILE = 4 * 1024 * 1024;
const OUTDATED = 'a suggestion is outdated: its lines have changed since';

/** Whether the caller may commit suggestions: they may push to the head, also as maintainers where its author allows that. */
export async function mayApplySuggestions(context: Context, pull: Pull): Promise<boolean> {
  return (await writableHead(context, pull)) !== undefined;
}

/**
 * Commits suggestions to the head of a pull request with one commit, in the caller's name; their authors are named as co-authors.
 * @param message the first line; a default when empty
 * @throws HttpError 403 without the right to push there, 404 for unknown suggestions, 409 for outdated ones, 422 for conflicting ones, and
 * for a closed pull request
 */
export async function applySuggestions(context: Context, pull: Pull, ids: readonly SuggestionId[], message: string): Promise<void> {
  if (pull.issue.is_closed) throw unprocessable('the pull request is closed');
  if (ids.length === 0 || ids.length > MAX_SUGGESTIONS) throw unprocessable(`[suggestion]: 1 to ${MAX_SUGGESTIONS} of them`);
  const head = await writableHead(context, pull);
  if (!head) throw forbidden('you may not push to the branch of this pull request');
  if (storedRef(context.git.locate(head), branchRef(pull.head_branch)) !== pull.head_id) throw conflict(OUTDATED);
  const comments = await commentsOf(context, pull, ids);
  const files = await changesOf(context, pull, comments);
  const title = message.trim() || (ids.length === 1 ? 'Apply suggestion from review' : 'Apply suggestions from review');
  const access = await repositoryAccess(context, head, signedInActor(context));
  const target = { branch: pull.head_branch, message: await withCoAuthors(context, title, comments) };
  await changeContents(context, head, access, target, files);
}

/** The repository of the head, if the caller may push to its branch. */
async function writableHead(context: Context, pull: Pull): Promise<Repository | undefined> {
  const { actor } = context;
  if (!actor || pull.flow !== 'branch') return undefined;
  const head = await headRepository(context, pull);
  if (!head || head.is_archived || head.is_mirror) return undefined;
  const access = await repositoryAccess(context, head, actor);
  return (await mayWriteTo(context, head, access, pull.head_branch)) ? head : undefined;
}

type Suggested = CodeComment & { readonly lines: readonly string[] };

/** Comments that the caller may see: those of a pending review are its author's. */
async function commentsOf(context: Context, pull: Pull, ids: readonly SuggestionId[]): Promise<Suggested[]> {
  const rows = await context.db
    .selectFrom('comments')
    .innerJoin('code_comments', 'code_comments.comment_id', 'comments.id')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .selectAll(['comments', 'code_comments'])
    .where('comments.issue_id', '=', pull.issue_id)
    .where('comments.kind', '=', 'code')
    .where('reviews.type', '!=', 'pending')
    .where(
      'comments.id',
      'in',
      ids.map(({ commentId }) => commentId),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map(({ commentId, index }) => {
    const comment = byId.get(commentId);
    const lines = comment && suggestedLines(comment.body, index);
    if (!lines) throw notFound(null, 'there is no such suggestion');
    if (comment.line <= 0 || comment.current_line === null || comment.anchor_id !== pull.head_id) throw conflict(OUTDATED);
    return { ...comment, lines };
  });
}

async function changesOf(context: Context, pull: Pull, comments: readonly Suggested[]): Promise<FileChange[]> {
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const commit = await readCommit(folder, git.pool, pull.head_id);
  const changes: FileChange[] = [];
  for (const [path, own] of Map.groupBy(comments, (comment) => comment.path)) {
    const entry = commit && (await findEntry(folder, git.pool, commit.tree, path));
    const isFile = entry?.mode === '100644' || entry?.mode === '100755';
    const info = isFile ? await git.pool.info(folder, entry.oid) : undefined;
    if (!info) throw conflict(OUTDATED);
    if (info.size > MAX_FILE) throw unprocessable(`the file is too large: ${path}`);
    const blob = await git.pool.read(folder, info.oid, { maxSize: MAX_FILE });
    const replacements = own.map(({ current_line: line, line_count: count, lines }): Replacement => {
      const last = line ?? 0;
      return { first: last - count + 1, last, lines };
    });
    const content = blob && withReplacements(blob.data, replacements);
    if (!content) throw unprocessable(`the suggestions do not fit into ${path} together`);
    changes.push({ operation: 'update', path, sha: info.oid, content });
  }
  return changes;
}

async function withCoAuthors(context: Context, title: string, comments: readonly Suggested[]): Promise<string> {
  const ids = new Set(comments.map(({ author_id: id }) => id));
  ids.delete(signedInActor(context).id);
  const users = await findUsersById(context.db, [...ids]);
  const authors = [...users.values()].map((user) => formatIdentity(gitSignature(context, user)));
  return authors.reduce((message, author) => addTrailer(message, 'Co-authored-by', author), title);
}
