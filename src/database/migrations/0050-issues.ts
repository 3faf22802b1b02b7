import { sql } from 'kysely';
import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

export const issues: SchemaMigration = {
  name: '0050-issues',
  async up(kit) {
    await milestonesAndLabels(kit);
    await issueTables(kit);
    await comments(kit);
    await attachments(kit);
    await search(kit);
  },
};

async function milestonesAndLabels(kit: SchemaKit): Promise<void> {
  await kit.table('milestones', {
    id: 'id',
    repository_id: 'ref:repositories',
    title: 'text',
    description: 'text=',
    is_closed: 'boolean=false',
    deadline_at: 'time?',
    closed_at: 'time?',
    issues_count: 'integer=0',
    closed_issues_count: 'integer=0',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('milestones', ['repository_id', 'title']);
  await sql`create index milestones_lower_title_idx on milestones (lower(title))`.execute(kit.db);
  await kit.table('labels', {
    id: 'id',
    repository_id: 'part?:repositories',
    organization_id: 'part?:users',
    name: 'text',
    description: 'text=',
    color: 'text',
    is_exclusive: 'boolean=false',
    exclusive_order: 'integer=0',
    archived_at: 'time?',
    issues_count: 'integer=0',
    closed_issues_count: 'integer=0',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('labels', ['repository_id', 'name']);
  await kit.index('labels', ['organization_id', 'name']);
  await kit.index('labels', ['name']);
}

async function issueTables(kit: SchemaKit): Promise<void> {
  await kit.table('issues', {
    id: 'id',
    repository_id: 'ref:repositories',
    number: 'integer',
    is_pull: 'boolean=false',
    author_id: 'integer',
    original_author: 'text=',
    original_author_id: 'integer=0',
    title: 'text',
    body: 'text=',
    content_version: 'integer=0',
    ref: 'text=',
    milestone_id: 'ref?:milestones',
    is_closed: 'boolean=false',
    is_locked: 'boolean=false',
    lock_reason: 'text=',
    comments_count: 'integer=0',
    time_estimate: 'integer=0',
    pin_order: 'integer=0',
    deadline_at: 'time?',
    closed_at: 'time?',
    merged_at: 'time?',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('issues', ['repository_id', 'number'], { unique: true });
  await kit.index('issues', ['repository_id', 'is_closed', 'is_pull', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'is_closed', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'is_pull', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'author_id', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'author_id', 'is_closed', 'created_at', 'id']);
  await kit.index('issues', ['repository_id', 'updated_at', 'is_closed', 'is_pull']);
  await kit.index('issues', ['author_id', 'created_at', 'id']);
  await kit.index('issues', ['milestone_id', 'created_at', 'id']);
  await kit.index('issues', ['is_closed', 'created_at', 'id']);
  await kit.index('issues', ['created_at', 'id']);
  await kit.index('issues', ['repository_id', 'is_pull', 'pin_order'], { where: 'pin_order > 0' });
  await kit.table('issue_labels', { issue_id: 'ref:issues', label_id: 'ref:labels' }, { primaryKey: ['issue_id', 'label_id'] });
  await kit.index('issue_labels', ['label_id', 'issue_id']);
  await kit.table('issue_assignees', { id: 'id', issue_id: 'ref:issues', user_id: 'ref:users' });
  await kit.index('issue_assignees', ['issue_id', 'user_id'], { unique: true });
  await kit.index('issue_assignees', ['user_id', 'issue_id']);
  await kit.table('issue_mentions', { issue_id: 'ref:issues', user_id: 'ref:users' }, { primaryKey: ['issue_id', 'user_id'] });
  await kit.index('issue_mentions', ['user_id', 'issue_id']);
}

async function comments(kit: SchemaKit): Promise<void> {
  await kit.table('comments', {
    id: 'id',
    issue_id: 'ref:issues',
    repository_id: 'integer',
    kind: 'text',
    author_id: 'integer',
    original_author: 'text=',
    original_author_id: 'integer=0',
    body: 'text=',
    content_version: 'integer=0',
    label_id: 'part?:labels',
    old_milestone_id: 'integer?',
    milestone_id: 'integer?',
    tracked_time_id: 'integer?',
    assignee_id: 'integer?',
    assignee_team_id: 'integer?',
    is_removal: 'boolean=false',
    old_title: 'text=',
    new_title: 'text=',
    old_ref: 'text=',
    new_ref: 'text=',
    dependent_issue_id: 'part?:issues',
    commit_id: 'text=',
    review_id: 'integer?',
    resolver_id: 'integer?',
    ref_repository_id: 'integer?',
    ref_issue_id: 'part?:issues',
    ref_comment_id: 'integer?',
    ref_effect: 'text=none',
    ref_is_pull: 'boolean=false',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('comments', ['issue_id', 'created_at', 'id']);
  await kit.index('comments', ['issue_id', 'kind', 'created_at', 'id']);
  await kit.index('comments', ['repository_id', 'kind', 'created_at', 'id']);
  await kit.index('comments', ['author_id']);
  await kit.index('comments', ['label_id'], { where: 'label_id is not null' });
  await kit.index('comments', ['dependent_issue_id'], { where: 'dependent_issue_id is not null' });
  await kit.index('comments', ['ref_issue_id', 'ref_comment_id'], { where: 'ref_issue_id is not null' });
  await kit.index('comments', ['review_id'], { where: 'review_id is not null' });
  await kit.index('comments', ['issue_id', 'commit_id'], { where: "commit_id <> ''" });
}

async function attachments(kit: SchemaKit): Promise<void> {
  await kit.table('attachments', {
    id: 'id',
    uuid: 'text',
    repository_id: 'ref:repositories',
    uploader_id: 'integer',
    issue_id: 'part?:issues',
    comment_id: 'part?:comments',
    release_id: 'integer?',
    name: 'text',
    size: 'integer=0',
    download_count: 'integer=0',
    created_at: 'time',
  });
  await kit.index('attachments', ['uuid'], { unique: true });
  await kit.index('attachments', ['repository_id']);
  await kit.index('attachments', ['issue_id'], { where: 'issue_id is not null' });
  await kit.index('attachments', ['comment_id'], { where: 'comment_id is not null' });
  await kit.index('attachments', ['release_id'], { where: 'release_id is not null' });
}

/**
 * The words of texts, cut by issues/search/words.ts, so that both databases find the same: in SQLite FTS5 tables whose rowid
 * is the id of the issue or comment, in PostgreSQL arrays under an inverted index.
 */
async function search({ db, dialect }: SchemaKit): Promise<void> {
  const statements =
    dialect === 'sqlite'
      ? [
          `create virtual table issue_words using fts5(repository, title, body, content='', contentless_delete=1, tokenize='ascii')`,
          `create virtual table comment_words using fts5(repository, body, content='', contentless_delete=1, tokenize='ascii')`,
          'create trigger issue_words_end after delete on issues begin delete from issue_words where rowid = old.id; end',
          'create trigger comment_words_end after delete on comments begin delete from comment_words where rowid = old.id; end',
        ]
      : [
          `create table issue_words (issue_id bigint primary key references issues(id) on delete cascade, title text collate "C" not null, body text collate "C" not null, words text[] collate "C" not null)`,
          'create index issue_words_words_idx on issue_words using gin (words)',
          `create table comment_words (comment_id bigint primary key references comments(id) on delete cascade, issue_id bigint not null, body text collate "C" not null, words text[] collate "C" not null)`,
          'create index comment_words_words_idx on comment_words using gin (words)',
        ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
