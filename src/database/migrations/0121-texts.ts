import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * The texts of accounts, addresses and repositories by each three characters, for database/texts.ts: in SQLite in tables whose `rowid` is
 * the id of the row (that of accounts is there already), in PostgreSQL as arrays under inverted indexes, without an extension.
 */
export const texts: SchemaMigration = {
  name: '0121-texts',
  async up({ db, dialect }) {
    for (const statement of dialect === 'sqlite' ? inSqlite : inPostgres) await sql.raw(statement).execute(db);
  },
};

const inSqlite = [
  ...tableOf('email_addresses', 'email_texts', ['lower_email'], (row) => `${row}.lower_email`),
  ...tableOf(
    'repositories',
    'repository_texts',
    ['lower_name', 'description'],
    (row) => `${row}.lower_name || char(10) || ${row}.description`,
  ),
];

function tableOf(table: string, texts: string, columns: readonly string[], text: (row: string) => string): string[] {
  const add = `insert into ${texts} (rowid, text) values (new.id, ${text('new')});`;
  const remove = `delete from ${texts} where rowid = old.id;`;
  return [
    `create virtual table ${texts} using fts5(text, content='', contentless_delete=1, tokenize='trigram')`,
    `insert into ${texts} (rowid, text) select id, ${text(table)} from ${table}`,
    `create trigger ${texts}_begin after insert on ${table} begin ${add} end`,
    `create trigger ${texts}_end after delete on ${table} begin ${remove} end`,
    `create trigger ${texts}_change after update of ${columns} on ${table} begin ${remove} ${add} end`,
  ];
}

const inPostgres = [
  `create function text_trigrams(text) returns text[] language sql immutable strict parallel safe as $$
     select array_agg(distinct first || second || third) from (
       select sign, lead(sign) over (order by place), lead(sign, 2) over (order by place)
       from regexp_split_to_table($1, '') with ordinality as signs (sign, place)
     ) as parts (first, second, third) where third is not null
   $$`,
  `create index users_texts_idx on users
     using gin (text_trigrams(lower_name || chr(10) || lower(full_name) || chr(10) || lower(email))) where type = 'individual'`,
  'create index email_addresses_texts_idx on email_addresses using gin (text_trigrams(lower_email))',
  'create index repositories_texts_idx on repositories using gin (text_trigrams(lower_name || chr(10) || lower(description)))',
];
