import { it } from 'node:test';
import { emptyDatabase } from '../support/empty-database.ts';
import { mirrorKills } from './mirror-kills.ts';

/* The short form of mirror-kills.ts, on both databases as for support/server.ts. */

const database = await emptyDatabase();

it('brings a mirror to the state of its source after a kill amid an update', async () => {
  await mirrorKills({ kills: 1, ...(database && { database }) });
});
