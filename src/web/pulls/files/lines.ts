import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/commits.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import type { Pull } from '../../../pulls/find.ts';
import { suggestionBlock } from '../../../pulls/suggestions/parse.ts';
import type { CommentedLines } from './commented-lines.ts';

/** Size limit in bytes of a file whose lines can be suggested. */
const MAX_FILE = 2 * 1024 * 1024;
const MAX_LINES = 200;

/** The suggestion block with the current lines of a commit, to be changed; undefined if the head's side has none. */
export async function suggestionOf({ git }: Context, pull: Pull, commitId: string, place: CommentedLines): Promise<string | undefined> {
  const { side, first, line, path } = place;
  if (side === 'old' || first < 1 || line - first >= MAX_LINES) return undefined;
  const folder = git.locate(pull.issue.repository);
  const commit = await readCommit(folder, git.pool, commitId);
  const entry = commit && (await findEntry(folder, git.pool, commit.tree, path));
  const info = entry?.type === 'blob' ? await git.pool.info(folder, entry.oid) : undefined;
  if (!info || info.size > MAX_FILE) return undefined;
  const blob = await git.pool.read(folder, info.oid, { maxSize: MAX_FILE });
  const lines = blob?.data.toString('utf8').replace(/\n$/, '').split('\n') ?? [];
  if (line > lines.length) return undefined;
  return suggestionBlock(lines.slice(first - 1, line).map((text) => text.replace(/\r$/, '')));
}
