import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * A function for lower case in every script: columns have the collation `C`, in which `lower` changes letters of ASCII alone. In SQLite, each
 * connection defines it (sqlite-handle.ts).
 */
export const lowerUnicode: SchemaMigration = {
  name: '0600-lower-unicode',
  phase: 'expand',
  async up({ db, dialect }) {
    if (dialect === 'sqlite') return;
    await sql
      .raw(
        `create function lower_unicode(text) returns text language sql immutable strict parallel safe
         as $$ select lower($1 collate "default") $$`,
      )
      .execute(db);
  },
};
