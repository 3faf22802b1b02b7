import { join } from 'node:path';
import type { Settings } from '../settings.ts';
import type { DatabaseOptions } from './options.ts';

/** The database options of the settings. */
export function databaseOptions({ server, database }: Settings): DatabaseOptions {
  return {
    url: database.url ?? '',
    directUrl: database.directUrl ?? '',
    file: join(server.dataDir, 'copse.db'),
    maxConnections: database.maxConnections,
    connectTimeout: database.connectTimeout,
    statementTimeout: database.statementTimeout,
    busyTimeout: database.busyTimeout,
  };
}
