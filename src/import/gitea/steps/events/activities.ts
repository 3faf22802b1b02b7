import type { ActivityType } from '../../../../database/tables/activity.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Types of activity, by Gitea's number (models/activities/action.go, `ActionType`). */
const TYPES: Readonly<Record<number, ActivityType>> = {
  1: 'create_repo',
  2: 'rename_repo',
  5: 'commit_repo',
  6: 'create_issue',
  7: 'create_pull_request',
  8: 'transfer_repo',
  9: 'push_tag',
  10: 'comment_issue',
  11: 'merge_pull_request',
  12: 'close_issue',
  13: 'reopen_issue',
  14: 'close_pull_request',
  15: 'reopen_pull_request',
  16: 'delete_tag',
  17: 'delete_branch',
  18: 'mirror_sync_push',
  19: 'mirror_sync_create',
  20: 'mirror_sync_delete',
  21: 'approve_pull_request',
  22: 'reject_pull_request',
  23: 'comment_pull',
  24: 'publish_release',
  27: 'auto_merge_pull_request',
};

/** Length limit of an activity's content in characters; that of a push lists its commits. */
const MAX_CONTENT = 65_536;

/**
 * Activity. Gitea has a row for each feed of an activity, the actor's first; here it is one row, with the id of the first,
 * and an entry for each feed.
 */
export const activities: Step = {
  name: 'activity',
  table: 'action',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const taken = rows.filter(
      (row) => TYPES[row.integer('op_type')] && !row.flag('is_deleted') && repositories.has(row.integer('repo_id')),
    );
    const issues = await issuesOf(taken, batch);
    const feeds: { user_id: number; activity_id: number }[] = [];
    // The actor's own row begins an activity; the following rows name its other feeds.
    const begun = new Map<string, number>();
    for (const row of taken) {
      const key = keyOf(row);
      let activityId = isActors(row) ? undefined : (begun.get(key) ?? (await findActivity(row, batch)));
      if (activityId === undefined) addActivity(row, batch, issues.get(issueKey(row)) ?? null);
      activityId ??= row.id;
      begun.set(key, activityId);
      if (users.has(row.integer('user_id'))) feeds.push({ user_id: row.integer('user_id'), activity_id: activityId });
    }
    for (const feed of feeds) batch.add('activity_feeds', feed);
  },
};

const isActors = (row: Row) => row.integer('user_id') === row.integer('act_user_id');

/** The common columns of all rows of an activity. */
function keyOf(row: Row): string {
  const numbers = ['op_type', 'act_user_id', 'repo_id', 'comment_id', 'created_unix'].map((column) => row.integer(column));
  return JSON.stringify([...numbers, row.text('ref_name'), row.text('content')]);
}

/** The activity whose first row was in the previous batch. */
async function findActivity(row: Row, batch: Batch): Promise<number | undefined> {
  const found = await batch.context.db
    .selectFrom('activities')
    .select('id')
    .where('repository_id', '=', row.integer('repo_id'))
    .where('id', '<', row.id)
    .where('actor_id', '=', row.integer('act_user_id'))
    .where('type', '=', TYPES[row.integer('op_type')] ?? 'create_repo')
    .where('created_at', '=', row.time('created_unix'))
    .where('content', '=', contentOf(row))
    .where('ref', '=', row.line('ref_name'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

function addActivity(row: Row, batch: Batch, issueId: number | null): void {
  batch.add('activities', {
    id: row.id,
    // None of our events has this number.
    event_id: -row.id,
    part: 0,
    type: TYPES[row.integer('op_type')] ?? 'create_repo',
    actor_id: row.integer('act_user_id'),
    repository_id: row.integer('repo_id'),
    issue_id: issueId,
    comment_id: row.reference('comment_id'),
    ref: row.line('ref_name'),
    content: contentOf(row),
    created_at: row.time('created_unix'),
  });
}

/** The content of an activity. Feeds parse that of a push, so it must have their form. */
function contentOf(row: Row): string {
  const content = row.text('content');
  const type = TYPES[row.integer('op_type')];
  const isPush = type === 'commit_repo' || type === 'mirror_sync_push';
  if (!isPush) return content.slice(0, MAX_CONTENT);
  return content.length <= MAX_CONTENT && isListOfCommits(row.json('content')) ? content : '';
}

function isListOfCommits(value: unknown): boolean {
  const { Commits: commits = null, CompareURL: compare = '', Len: total = 0 } = (value ?? {}) as Record<string, unknown>;
  const isCommit = (commit: unknown) => {
    const { Sha1: id, Message: message } = (commit ?? {}) as Record<string, unknown>;
    return typeof id === 'string' && typeof message === 'string';
  };
  const isList = commits === null || (Array.isArray(commits) && commits.every(isCommit));
  return typeof value === 'object' && value !== null && isList && typeof compare === 'string' && typeof total === 'number';
}

/** The repository and the issue number of an activity whose content begins with the number. */
function issueKey(row: Row): string {
  const type = TYPES[row.integer('op_type')] ?? '';
  const number = /issue|pull/.test(type) ? /^(\d{1,9})(?:\||$)/.exec(row.text('content'))?.[1] : undefined;
  return number === undefined ? '' : `${row.integer('repo_id')} ${number}`;
}

async function issuesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<string, number>> {
  const keys = rows.map(issueKey).filter((key) => key !== '');
  const numbers = (at: number) => [0, ...new Set(keys.map((key) => Number(key.split(' ')[at])))];
  const found = await batch.context.db
    .selectFrom('issues')
    .select(['id', 'repository_id', 'number'])
    .where('repository_id', 'in', numbers(0))
    .where('number', 'in', numbers(1))
    .execute();
  return new Map(found.map(({ id, repository_id, number }) => [`${repository_id} ${number}`, id]));
}
