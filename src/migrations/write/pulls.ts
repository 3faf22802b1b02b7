import type { SourcePull } from '../source/source.ts';
import { writeComments } from './comments.ts';
import { writeIssueRows } from './issue-rows.ts';
import { type PreparedPull, preparePull } from './prepare-pull.ts';
import { placeHeads } from './pull-heads.ts';
import { writeReviews } from './reviews.ts';
import type { Target } from './run.ts';

/** Writes a page of pull requests and their heads, and brings over their comments and reviews. */
export async function writePulls(target: Target, pulls: readonly SourcePull[]): Promise<void> {
  const placed: PreparedPull[] = [];
  for (const pull of pulls) {
    const found = await preparePull(target, pull);
    // A repository without commits has no pull requests.
    if (found.row.head_id !== '') placed.push(found);
  }
  const written = await writeIssueRows(
    target,
    placed,
    ({ merged, closedAt, updatedAt, createdAt }) => ({
      is_pull: true,
      merged_at: merged ? (merged.at ?? closedAt ?? updatedAt ?? createdAt ?? 1) : null,
    }),
    async ({ db }, { id, source }) => {
      await db
        .insertInto('pull_requests')
        .values({ ...source.row, issue_id: id })
        .execute();
    },
  );
  await placeHeads(
    target,
    written.map(({ source }) => source),
  );
  await writeComments(target, written);
  await writeReviews(target, written);
}
