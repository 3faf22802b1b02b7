import { indexIssue } from '../../../../issues/search/index.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Issues, and the issue part of pull requests. */
export const issues: Step = {
  name: 'issues',
  table: 'issue',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const milestones = await batch.existingOf('milestones', rows, 'milestone_id');
    const [merges, pins] = [await mergesOf(rows, batch), await pinsOf(rows, batch)];
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      const milestone = row.reference('milestone_id');
      const issue = { id: row.id, repository_id: row.integer('repo_id'), title: row.line('name', 1000), body: row.text('content') };
      batch.noteCuts(`issue ${row.id}`, row);
      batch.add('issues', {
        ...issue,
        number: row.integer('index'),
        is_pull: row.flag('is_pull'),
        author_id: row.integer('poster_id'),
        original_author: row.line('original_author'),
        original_author_id: row.integer('original_author_id'),
        content_version: row.integer('content_version'),
        ref: row.line('ref'),
        milestone_id: milestone !== null && milestones.has(milestone) ? milestone : null,
        is_closed: row.flag('is_closed'),
        is_locked: row.flag('is_locked'),
        // Reviews are subtracted at the end (finish/counts.ts).
        comments_count: Math.max(0, row.integer('num_comments')),
        time_estimate: Math.max(0, row.integer('time_estimate')),
        pin_order: pins.get(row.id) ?? Math.max(0, row.integer('pin_order')),
        deadline_at: row.timeOrNull('deadline_unix'),
        closed_at: row.flag('is_closed') ? row.timeOrNull('closed_unix') : null,
        merged_at: merges.get(row.id) ?? null,
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
      batch.change((db) => indexIssue({ ...batch.context, db }, issue));
    }
  },
};

/** When pull requests were merged, by the id of the issue. */
async function mergesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const ids = rows.filter((row) => row.flag('is_pull')).map((row) => row.id);
  const pulls = ids.length > 0 ? await batch.source.rowsWith('pull_request', 'issue_id', ids) : [];
  const merged = pulls.filter((pull) => pull.flag('has_merged'));
  return new Map(merged.map((pull) => [pull.integer('issue_id'), pull.time('merged_unix')]));
}

/** The positions of pinned issues: until Gitea 1.23 a column of the issue. */
async function pinsOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const pins = await batch.source.rowsWith(
    'issue_pin',
    'issue_id',
    rows.map((row) => row.id),
  );
  return new Map(pins.map((pin) => [pin.integer('issue_id'), pin.integer('pin_order')]));
}
