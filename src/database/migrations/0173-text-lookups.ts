import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * In PostgreSQL the rows that may have a keyword are found by functions that go by the index whatever the planner thinks: where many have it,
 * it would rather take the text of every row apart again, at a hundred times the cost it reckons with.
 */
export const textLookups: SchemaMigration = {
  name: '0173-text-lookups',
  async up({ db, dialect }) {
    if (dialect === 'sqlite') return;
    for (const [name, from] of LOOKUPS) {
      await sql
        .raw(`create function ${name}(text[]) returns setof bigint language sql stable
          set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
          as $$ select id from ${from} @> $1 $$`)
        .execute(db);
    }
  },
};

/** The names of the functions, and the expressions of the indexes (0121-texts.ts). */
const LOOKUPS = [
  [
    'users_with_trigrams',
    "users where type = 'individual' and text_trigrams(lower_name || chr(10) || lower(full_name) || chr(10) || lower(email))",
  ],
  ['email_addresses_with_trigrams', 'email_addresses where text_trigrams(lower_email)'],
  ['repositories_with_trigrams', 'repositories where text_trigrams(lower_name || chr(10) || lower(description))'],
] as const;
