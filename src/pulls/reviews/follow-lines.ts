import type { Context } from '../../context.ts';
import type { CodeCommentRow } from '../../database/tables/pulls.ts';
import { type LineMove, lineMoves } from '../../git/diff/line-moves.ts';
import { GitError } from '../../git/processes/process.ts';
import type { Pull } from '../find.ts';

/** How many files are compared at once. */
const BATCH = 200;

/**
 * Updates the current lines of comments for the current head, and for the base that it is compared with. Those whose lines were deleted or
 * changed become outdated.
 */
export async function followLines(context: Context, pull: Pull): Promise<void> {
  const rows = await context.db
    .selectFrom('code_comments')
    .innerJoin('comments', 'comments.id', 'code_comments.comment_id')
    .selectAll('code_comments')
    .where('comments.issue_id', '=', pull.issue_id)
    .where('comments.kind', '=', 'code')
    .where('code_comments.current_line', 'is not', null)
    .execute();
  const lost = rows.filter((row) => row.anchor_id !== '' && ![row.anchor_id, ''].includes(targetOf(pull, row.line)));
  for (const group of Map.groupBy(lost, (row) => `${row.anchor_id} ${targetOf(pull, row.line)}`).values()) {
    const paths = [...new Set(group.map((row) => row.path))];
    for (let at = 0; at < paths.length; at += BATCH) {
      const batch = paths.slice(at, at + BATCH);
      const move = await movesTo(context, pull, group[0], batch);
      if (!move) continue;
      for (const row of group.filter(({ path }) => batch.includes(path))) {
        const current = lastLine(move, row);
        await context.db
          .updateTable('code_comments')
          .set({ current_line: current === undefined ? null : row.line < 0 ? -current : current, anchor_id: targetOf(pull, row.line) })
          .where('comment_id', '=', row.comment_id)
          .where('anchor_id', '=', row.anchor_id)
          .execute();
      }
    }
  }
}

/** The new number of a comment's last line, if all of its lines moved together. */
function lastLine(move: LineMove, { path, current_line: line, line_count: count }: CodeCommentRow): number | undefined {
  const last = Math.abs(line ?? 0);
  const current = move(path, last);
  if (current === undefined) return undefined;
  for (let above = 1; above < count; above++) if (move(path, last - above) !== current - above) return undefined;
  return current;
}

/** The commit in which a comment's line is searched. */
function targetOf(pull: Pull, line: number): string {
  return line < 0 ? pull.merge_base : pull.head_id;
}

/** Comparisons that are too large are left for the next time. */
async function movesTo(
  { git, log }: Context,
  pull: Pull,
  row: { anchor_id: string; line: number } | undefined,
  paths: readonly string[],
): Promise<LineMove | undefined> {
  if (!row) return undefined;
  try {
    return await lineMoves(git.locate(pull.issue.repository), row.anchor_id, targetOf(pull, row.line), paths);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    log.warn({ pull: pull.id, err: error }, 'comments could not follow their lines');
    return undefined;
  }
}
