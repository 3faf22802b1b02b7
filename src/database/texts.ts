import { type RawBuilder, sql } from 'kysely';
import { CASED } from './contains.ts';
import type { Database } from './database.ts';

/** Tables with a trigram index of their texts. */
type Indexed = 'users' | 'email_addresses' | 'repositories';

/** The index tables in SQLite; PostgreSQL uses functions that are named after the tables. */
const SQLITE_TABLES: Readonly<Record<Indexed, string>> = {
  users: 'user_texts',
  email_addresses: 'email_texts',
  repositories: 'repository_texts',
};

/** The minimum length of a keyword for an index. */
const GRAM = 3;

/**
 * A query for the ids of the rows whose texts may contain a keyword: all that do, and some that only have its parts. It searches names and
 * e-mail addresses of users, e-mail addresses, and names and descriptions of repositories.
 * @returns undefined where the keyword is too short for an index; `%` and `_` in it are wildcards, so the parts between them count
 */
export function mayContain({ dialect }: Pick<Database, 'dialect'>, table: Indexed, keyword: string): RawBuilder<number> | undefined {
  const parts = keyword
    .toLowerCase()
    .split(/[%_\p{Cc}]/u)
    .filter((part) => [...part].length >= GRAM);
  if (parts.length === 0) return undefined;
  if (dialect === 'sqlite') {
    const texts = sql.table(SQLITE_TABLES[table]);
    const phrases = parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(' AND ');
    return sql`(select rowid as id from ${texts} where ${texts} match ${phrases})`;
  }
  const trigrams = trigramsOf(parts);
  if (trigrams.length === 0) return undefined;
  return sql`(select id from ${sql.id(`${table}_with_trigrams`)}(${trigrams}::text[]) as found (id))`;
}

/** Those that the index of PostgreSQL has whatever the case of the text: its lower case is that of ASCII. */
function trigramsOf(parts: readonly string[]): string[] {
  const found = parts.flatMap((part) => {
    const signs = [...part];
    return signs.slice(GRAM - 1).map((_, index) => signs.slice(index, index + GRAM).join(''));
  });
  return [...new Set(found)].filter((trigram) => !CASED.test(trigram));
}
