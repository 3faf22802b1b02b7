import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** Tables whose texts are indexed by each three characters. */
type Indexed = 'users' | 'email_addresses' | 'repositories';

/** By what they are found in SQLite; in PostgreSQL by functions that are named after the tables. */
const SQLITE_TABLES: Readonly<Record<Indexed, string>> = {
  users: 'user_texts',
  email_addresses: 'email_texts',
  repositories: 'repository_texts',
};

/** Characters of a keyword that an index needs. */
const GRAM = 3;

/**
 * The ids of the rows in whose texts a keyword may be, as a query: all that have it, and some that have only its parts. For people their
 * names and address, for addresses themselves, for repositories names and descriptions.
 * @returns undefined where the keyword is too short for an index; `%` and `_` in it stand for others, so what is between them counts
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
  return sql`(select id from ${sql.id(`${table}_with_trigrams`)}(${trigramsOf(parts)}::text[]) as found (id))`;
}

function trigramsOf(parts: readonly string[]): string[] {
  const found = parts.flatMap((part) => {
    const signs = [...part];
    return signs.slice(GRAM - 1).map((_, index) => signs.slice(index, index + GRAM).join(''));
  });
  return [...new Set(found)];
}
