import { sql } from 'kysely';
import type { Db } from '../../../database/database.ts';

/** Stored counts: the column, and what it counts for the row `t`. Triggers maintain the other counts. */
const COUNTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    followers_count: 'select count(*) from follows where followed_id = t.id',
    following_count: 'select count(*) from follows where follower_id = t.id',
    stars_count: 'select count(*) from stars where user_id = t.id',
    repos_count: 'select count(*) from repositories where owner_id = t.id',
  },
  teams: {
    repos_count: 'select count(*) from team_repositories where team_id = t.id',
    members_count: 'select count(*) from team_members where team_id = t.id',
  },
  repositories: {
    stars_count: 'select count(*) from stars where repository_id = t.id',
    watchers_count: "select count(*) from watches where repository_id = t.id and mode <> 'ignored'",
    forks_count: 'select count(*) from repositories as forks where fork_id = t.id',
    releases_count: 'select count(*) from releases where repository_id = t.id and not is_draft',
    issues_count: 'select count(*) from issues where repository_id = t.id and not is_pull',
    closed_issues_count: 'select count(*) from issues where repository_id = t.id and not is_pull and is_closed',
    pulls_count: 'select count(*) from issues where repository_id = t.id and is_pull',
    closed_pulls_count: 'select count(*) from issues where repository_id = t.id and is_pull and is_closed',
  },
  topics: { repos_count: 'select count(*) from repository_topics where topic_id = t.id' },
  milestones: {
    issues_count: 'select count(*) from issues where milestone_id = t.id',
    closed_issues_count: 'select count(*) from issues where milestone_id = t.id and is_closed',
  },
  labels: {
    issues_count: 'select count(*) from issue_labels where label_id = t.id',
    closed_issues_count: 'select count(*) from issue_labels join issues on issues.id = issue_id where label_id = t.id and is_closed',
  },
};

/** Recomputes the stored counts. */
export async function finishCounts(db: Db): Promise<void> {
  for (const [table, counts] of Object.entries(COUNTS)) {
    const set = Object.entries(counts).map(([column, count]) => sql`${sql.ref(column)} = (${sql.raw(count)})`);
    await sql`update ${sql.table(table)} as t set ${sql.join(set)}`.execute(db);
  }
  await countReviews(db);
  await countLargeFiles(db);
}

/** Separates Gitea's common count of comments and reviews. Runs once, in the transaction that ends the import. */
async function countReviews(db: Db): Promise<void> {
  const comments = sql`(select count(*) from comments where issue_id = t.id and kind = 'comment')`;
  await sql`
    update issues as t set comments_count = ${comments},
      counted_reviews = case when t.comments_count > ${comments} then t.comments_count - ${comments} else 0 end`.execute(db);
}

/** Adds large files to the sizes of repositories. Runs once, like {@link countReviews}. */
async function countLargeFiles(db: Db): Promise<void> {
  const bytes = sql`coalesce((
    select sum(object.size) from lfs_links join lfs_objects object on object.id = object_id where repository_id = t.id), 0)`;
  await sql`update repositories as t set lfs_size = ${bytes}, size = t.size + ${bytes}`.execute(db);
}
