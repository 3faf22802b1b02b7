import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * In PostgreSQL the words of an issue stand beside its repository, kind and state, kept by a trigger, so that those that have a word are
 * counted without looking at the issues. In SQLite the index of words has no such columns.
 */
export const issueWordsState: SchemaMigration = {
  name: '0170-issue-words-state',
  async up(kit) {
    if (kit.dialect === 'sqlite') return;
    const statements = [
      'drop index issue_words_words_idx',
      'alter table issue_words add column repository_id bigint, add column is_pull boolean, add column is_closed boolean',
      // Room for a changed state beside the row: then no index is written.
      'alter table issue_words set (fillfactor = 90)',
      `update issue_words set repository_id = issues.repository_id, is_pull = issues.is_pull, is_closed = issues.is_closed
         from issues where issues.id = issue_words.issue_id`,
      `alter table issue_words alter column repository_id set not null, alter column is_pull set not null,
         alter column is_closed set not null`,
      'create index issue_words_words_idx on issue_words using gin (words)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(kit.db);
    await kit.trigger(
      'issue_words_state',
      'after update of repository_id, is_pull, is_closed on issues',
      `update issue_words set repository_id = new.repository_id, is_pull = new.is_pull, is_closed = new.is_closed where issue_id = new.id;`,
      '(old.repository_id, old.is_pull, old.is_closed) is distinct from (new.repository_id, new.is_pull, new.is_closed)',
    );
  },
};
