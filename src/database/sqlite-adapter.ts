import { SqliteAdapter } from 'kysely';

/** SQLite's schema changes can be rolled back, so migrations run in one transaction; this driver serializes writers itself. */
export class TwoHandleAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
