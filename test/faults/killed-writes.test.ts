import { it } from 'node:test';
import { emptyDatabase } from '../support/empty-database.ts';
import { kills } from './kills.ts';

/* The short form of kills.ts, on both databases as for support/server.ts. */

const database = await emptyDatabase();

it('keeps what was acknowledged over kills of the process and of its group', { skip: database && 'SQLite' }, async () => {
  await kills({ kills: 2, first: 1 });
});

it('keeps what was acknowledged on PostgreSQL, in a container', { skip: !database && 'PostgreSQL' }, async () => {
  await kills({ kills: 1, first: 6, ...(database && { database }) });
});
