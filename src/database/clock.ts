import { type RawBuilder, sql } from 'kysely';
import type { DialectName } from './options.ts';

/**
 * The current time of the database's clock, in milliseconds since 1970. Times that several processes compare use it: their own clocks differ.
 * It advances within a transaction.
 */
export function databaseClock(dialect: DialectName): RawBuilder<number> {
  return dialect === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}
