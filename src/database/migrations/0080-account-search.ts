import { sql } from 'kysely';
import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

/** What keeps lists and searches of people and organizations quick where there are many. */
export const accountSearch: SchemaMigration = {
  name: '0080-account-search',
  async up(kit) {
    await kit.index('users', ['type', 'id']);
    await kit.index('users', ['type', 'lower_name']);
    await kit.index('users', ['type', 'created_at', 'id']);
    await kit.index('users', ['type', 'updated_at', 'id']);
    if (kit.dialect === 'sqlite') {
      await counts(kit);
      await texts(kit);
    }
  },
};

/** SQLite counts rows one by one, so numbers are kept there. In PostgreSQL all that make accounts would wait for each other's rows. */
async function counts(kit: SchemaKit): Promise<void> {
  await kit.table('account_counts', { type: 'text', visibility: 'text', count: 'integer=0' }, { primaryKey: ['type', 'visibility'] });
  const count = (row: 'old' | 'new', change: string) =>
    `update account_counts set count = count ${change} where type = ${row}.type and visibility = ${row}.visibility;`;
  await run(kit, [
    `insert into account_counts (type, visibility, count)
     select types.name, visibilities.name,
       (select count(*) from users where users.type = types.name and users.visibility = visibilities.name)
     from (select 'individual' as name union select 'organization') as types,
       (select 'public' as name union select 'limited' union select 'private') as visibilities`,
    `create trigger account_counts_begin after insert on users begin ${count('new', '+ 1')} end`,
    `create trigger account_counts_end after delete on users begin ${count('old', '- 1')} end`,
    `create trigger account_counts_change after update of type, visibility on users begin ${count('old', '- 1')} ${count('new', '+ 1')} end`,
  ]);
}

/** The names and addresses of people by each three characters, which tells quickly whose may contain a keyword; `rowid` is the user's id. */
async function texts(kit: SchemaKit): Promise<void> {
  const text = (row: string) => `${row}.lower_name || char(10) || ${row}.full_name || char(10) || ${row}.email`;
  const add = `insert into user_texts (rowid, text) values (new.id, ${text('new')});`;
  const remove = 'delete from user_texts where rowid = old.id;';
  await run(kit, [
    `create virtual table user_texts using fts5(text, content='', contentless_delete=1, tokenize='trigram')`,
    `insert into user_texts (rowid, text) select id, ${text('users')} from users where type = 'individual'`,
    `create trigger user_texts_begin after insert on users when new.type = 'individual' begin ${add} end`,
    `create trigger user_texts_end after delete on users when old.type = 'individual' begin ${remove} end`,
    `create trigger user_texts_change after update of lower_name, full_name, email on users when new.type = 'individual'
       begin ${remove} ${add} end`,
  ]);
}

async function run({ db }: SchemaKit, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
