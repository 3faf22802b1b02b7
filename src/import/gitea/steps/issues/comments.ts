import type { ReferenceEffect, TimelineKind } from '../../../../database/tables/issues.ts';
import { indexComment } from '../../../../issues/search/index.ts';
import { durationInWords } from '../../../../issues/times/duration.ts';
import { estimateInWords } from '../../../../issues/times/estimate.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { diffHunk } from './diff-hunk.ts';

/** The type of a timeline row, by Gitea's number (models/issues/comment.go, `CommentType`). */
export const KINDS: readonly TimelineKind[] = [
  ...(['comment', 'reopen', 'close', 'issue_ref', 'commit_ref', 'comment_ref', 'pull_ref', 'label', 'milestone', 'assignees'] as const),
  ...(['change_title', 'delete_branch', 'start_tracking', 'stop_tracking', 'add_time_manual', 'cancel_tracking'] as const),
  ...(['added_deadline', 'modified_deadline', 'removed_deadline', 'add_dependency', 'remove_dependency', 'code', 'review'] as const),
  ...(['lock', 'unlock', 'change_target_branch', 'delete_time_manual', 'review_request', 'merge_pull', 'pull_push'] as const),
  ...(['project', 'project_board', 'dismiss_review', 'change_issue_ref', 'pull_scheduled_merge'] as const),
  ...(['pull_cancel_scheduled_merge', 'pin', 'unpin', 'change_time_estimate'] as const),
];
const EFFECTS: readonly ReferenceEffect[] = ['none', 'closes', 'reopens', 'neutered'];

/** Comments and all other entries of timelines. */
export const comments: Step = {
  name: 'comments',
  table: 'comment',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await repositoriesOf(rows, batch);
    const issues = await batch.existingOf('issues', rows, 'dependent_issue_id', 'ref_issue_id');
    const labels = await batch.existingOf('labels', rows, 'label_id');
    const reviews = await reviewCommits(rows, batch);
    for (const row of rows) {
      const kind = KINDS[row.integer('type')];
      const repositoryId = repositories.get(row.integer('issue_id'));
      if (kind === undefined || repositoryId === undefined) continue;
      const among = (known: ReadonlySet<number>, column: string) => (known.has(row.integer(column)) ? row.integer(column) : null);
      const comment = { id: row.id, issue_id: row.integer('issue_id'), repository_id: repositoryId, body: bodyOf(kind, row) };
      batch.noteCuts(`comment ${row.id}`, row);
      batch.add('comments', {
        ...comment,
        kind,
        author_id: row.integer('poster_id'),
        original_author: row.line('original_author'),
        original_author_id: row.integer('original_author_id'),
        content_version: row.integer('content_version'),
        label_id: among(labels, 'label_id'),
        old_milestone_id: row.reference('old_milestone_id'),
        milestone_id: row.reference('milestone_id'),
        old_project_id: row.reference('old_project_id'),
        project_id: row.reference('project_id'),
        project_column: kind === 'project_board' ? columnTitle(row) : '',
        tracked_time_id: row.reference('time_id'),
        assignee_id: row.reference('assignee_id'),
        assignee_team_id: row.reference('assignee_team_id'),
        is_removal: row.flag('removed_assignee'),
        old_title: row.line('old_title', 1000),
        new_title: row.line('new_title', 1000),
        old_ref: row.line('old_ref'),
        new_ref: row.line('new_ref'),
        dependent_issue_id: among(issues, 'dependent_issue_id'),
        commit_id: row.line('commit_sha', 64),
        review_id: row.reference('review_id'),
        resolver_id: row.reference('resolve_doer_id'),
        ref_repository_id: row.reference('ref_repo_id'),
        ref_issue_id: among(issues, 'ref_issue_id'),
        ref_comment_id: row.reference('ref_comment_id'),
        ref_effect: EFFECTS[row.integer('ref_action')] ?? 'none',
        ref_is_pull: row.flag('ref_is_pull'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
      if (kind === 'comment') batch.change((db) => indexComment({ ...batch.context, db }, comment));
      if (kind === 'code') addCodeComment(row, batch, reviews.get(row.integer('review_id')) ?? row.line('commit_sha', 64));
    }
  },
};

function addCodeComment(row: Row, batch: Batch, anchor: string): void {
  const line = row.integer('line');
  batch.add('code_comments', {
    comment_id: row.id,
    path: row.line('tree_path', 4000),
    line,
    diff_hunk: diffHunk(row.text('patch')),
    current_line: line === 0 || row.flag('invalidated') ? null : line,
    anchor_id: anchor,
  });
}

/** Gitea stores seconds; our rows and its API have words. */
function bodyOf(kind: TimelineKind, row: Row): string {
  const body = row.text('content');
  const seconds = Number(/^\|?(-?\d{1,12})$/.exec(body)?.[1]);
  const isTime = kind === 'add_time_manual' || kind === 'stop_tracking' || kind === 'delete_time_manual';
  if (isTime && body.startsWith('|') && Number.isFinite(seconds)) return durationInWords(seconds);
  return kind === 'change_time_estimate' && Number.isFinite(seconds) ? estimateInWords(seconds) : body;
}

/** The title at that time of the column that a card was moved to. */
function columnTitle(row: Row): string {
  const data = row.json('comment_meta_data');
  if (typeof data !== 'object' || data === null || !('project_column_title' in data)) return '';
  return String(data.project_column_title).slice(0, 255);
}

async function repositoriesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, number>> {
  const ids = [...new Set(rows.map((row) => row.integer('issue_id')))];
  const issues = await batch.context.db.selectFrom('issues').select(['id', 'repository_id']).where('id', 'in', ids).execute();
  return new Map(issues.map(({ id, repository_id }) => [id, repository_id]));
}

/** The heads of reviews, by review id. */
async function reviewCommits(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.flatMap((row) => row.reference('review_id') ?? []))];
  const reviews = ids.length > 0 ? await batch.source.rowsWith('review', 'id', ids) : [];
  return new Map(reviews.map((review) => [review.id, review.line('commit_id', 64)]));
}
