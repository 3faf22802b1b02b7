import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** SQLite calls this function for {@link containsAnyCase}; PostgreSQL has one of the same name. */
export const LOWER_UNICODE = 'lower_unicode';

/** A letter outside of ASCII that exists in two cases. */
export const CASED = /[^\p{ASCII}\P{Changes_When_Casemapped}]/u;

/**
 * Whether a text contains a keyword, case-insensitively. `%` and `_` are wildcards for any text and any character,
 * as users of such searches expect; a backslash is literal, on both databases.
 * @param lowerText an expression in lower case
 */
export function contains(lowerText: RawBuilder<string>, keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.toLowerCase().replaceAll('\\', '\\\\')}%`;
  return sql<SqlBool>`${lowerText} like ${pattern} escape '\\'`;
}

/** {@link contains} of an expression in any case. */
export function containsAnyCase(text: RawBuilder<string>, keyword: string): RawBuilder<SqlBool> {
  return contains(inLowerCase(text, keyword), keyword);
}

/** Whether a text contains words as they are, case-insensitively: they have no wildcards. */
export function containsLiterally(text: RawBuilder<string>, words: string): RawBuilder<SqlBool> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`${inLowerCase(text, words)} like ${pattern} escape '\\'`;
}

/** The function of the databases changes letters of ASCII alone, but is faster. */
function inLowerCase(text: RawBuilder<string>, keyword: string): RawBuilder<string> {
  return CASED.test(keyword) ? sql`${sql.raw(LOWER_UNICODE)}(${text})` : sql`lower(${text})`;
}
