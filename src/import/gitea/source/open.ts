import type { GiteaSettings } from '../config/app-ini.ts';
import { openPostgresSource } from './postgres.ts';
import type { Source } from './source.ts';
import { openSqliteSource } from './sqlite.ts';

/**
 * Opens the database of a Gitea.
 * @throws ImportError when it cannot be opened
 */
export function openSource({ database }: GiteaSettings): Promise<Source> {
  return database.type === 'sqlite' ? openSqliteSource(database.file) : openPostgresSource(database);
}
