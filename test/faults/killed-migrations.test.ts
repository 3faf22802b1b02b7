// On SQLite alone: on PostgreSQL the next start waits seven seconds for the killed process; migration-kills.ts does that.
import { it } from 'node:test';
import { migrationKills } from './migration-kills.ts';

/* The short form of migration-kills.ts. */

it('goes on with a migration after a kill in the middle of it', async () => {
  await migrationKills(['comments']);
});
