import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a text contains a keyword, case-insensitively. `%` and `_` are wildcards for any text and any character,
 * as users of such searches expect; a backslash is literal, on both databases.
 * @param lowerText an expression in lower case
 */
export function contains(lowerText: RawBuilder<string>, keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.toLowerCase().replaceAll('\\', '\\\\')}%`;
  return sql<SqlBool>`${lowerText} like ${pattern} escape '\\'`;
}
