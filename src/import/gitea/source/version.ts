import { ImportError } from '../error.ts';
import type { Source } from './source.ts';

/** The schema versions of Gitea 1.21 to 1.26 (models/migrations/migrations.go). */
const OLDEST = 280;
const NEWEST = 331;
/** The newest supported version of Forgejo's own schema; Forgejo 9 has 22. The next one, of Forgejo 10, encrypts secrets differently. */
const NEWEST_FORGEJO = 24;

/**
 * Refuses databases with an unknown schema version.
 * @throws ImportError
 */
export async function checkVersion(source: Source): Promise<void> {
  const version = await stateOf(source, 'version');
  if (version === undefined) throw new ImportError('the database has no table "version": it is not a database of Gitea');
  if (version < OLDEST) {
    throw new ImportError(`the tables have version ${version}, older than Gitea 1.21 (${OLDEST}): update that Gitea first`);
  }
  if (version > NEWEST) {
    throw new ImportError(`the tables have version ${version}, newer than Gitea 1.26 (${NEWEST}): a newer Copse may know them`);
  }
  const forgejo = await stateOf(source, 'forgejo_version');
  if (forgejo !== undefined && forgejo > NEWEST_FORGEJO) {
    throw new ImportError(`the tables have version ${forgejo} of Forgejo, newer than Forgejo 9 (${NEWEST_FORGEJO})`);
  }
}

async function stateOf(source: Source, table: string): Promise<number | undefined> {
  const [row] = (await source.has(table)) ? await source.rows(table, 0, 1) : [];
  return row?.integer('version');
}
