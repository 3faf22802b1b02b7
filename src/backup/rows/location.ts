import { isAbsolute, join } from 'node:path';
import type { DatabaseOptions } from '../../database/options.ts';
import type { Settings } from '../../settings.ts';
import type { RowSource } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';
import type { RowTarget } from './target.ts';

/** Which database: a file of SQLite, or the URL of a PostgreSQL. */
export type DatabaseLocation = { readonly file: string; readonly url?: undefined } | { readonly url: string; readonly file?: undefined };

/** An invalid database name, with a message for the terminal. */
export class LocationError extends Error {
  override readonly name = 'LocationError';
}

/** The database of the settings. */
export function databaseOf({ database, server }: Pick<Settings, 'database' | 'server'>): DatabaseLocation {
  return database.url ? { url: database.url } : { file: join(server.dataDir, 'copse.db') };
}

/**
 * Reads the name of a database: `current`, `sqlite:/path/of/copse.db` or `postgres://…`.
 * @throws LocationError; also for a password, since other users of a machine can read command lines
 */
export function parseLocation(text: string, settings: Pick<Settings, 'database' | 'server'>): DatabaseLocation {
  if (text === 'current') return databaseOf(settings);
  const file = /^sqlite:(?:\/\/)?(\/.*)$/.exec(text)?.[1];
  if (file !== undefined && isAbsolute(file)) return { file };
  if (!/^postgres(ql)?:/.test(text) || !URL.canParse(text))
    throw new LocationError('has to be current, sqlite:/path/of/copse.db or postgres://…');
  const { password, searchParams } = new URL(text);
  if (password !== '' || searchParams.has('password'))
    throw new LocationError('has a password, which others can read on the command line: use PGPASSWORD or ~/.pgpass');
  return { url: text };
}

/** Whether both are the same database, judged by their names. */
export function isSameLocation(a: DatabaseLocation, b: DatabaseLocation): boolean {
  if (a.file !== undefined || b.file !== undefined) return a.file === b.file;
  const nameOf = (url: string) => {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || '5432'}${pathname}`;
  };
  return nameOf(a.url) === nameOf(b.url);
}

/** How a database is opened by its schema's own means. */
export function optionsOf({ file = '', url = '' }: DatabaseLocation): DatabaseOptions {
  return { file, url, maxConnections: 2, statementTimeout: 0 };
}

/** Opens it for reading all rows of one snapshot. */
export async function openSource(location: DatabaseLocation): Promise<RowSource> {
  return location.file !== undefined
    ? openSqliteSource(location.file)
    : await (await import('./postgres-source.ts')).openPostgresSource(location.url);
}

/**
 * Opens it for writing all rows.
 * @param isReplaced deletes what an interrupted attempt has written; a file must be removed before
 * @throws TargetNotEmptyError
 */
export async function openTarget(location: DatabaseLocation, isReplaced = false): Promise<RowTarget> {
  if (location.file !== undefined) return (await import('./sqlite-target.ts')).openSqliteTarget(location.file);
  return await (await import('./postgres-target.ts')).openPostgresTarget(location.url, isReplaced);
}
