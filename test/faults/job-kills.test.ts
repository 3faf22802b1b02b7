import { it } from 'node:test';
import { emptyDatabase } from '../support/empty-database.ts';
import { jobKills } from './job-kills.ts';

/* The short form of job-kills.ts: two servers need PostgreSQL. */

const database = await emptyDatabase();

it('runs each job once while servers are killed', { skip: !database && 'PostgreSQL alone has two servers' }, async () => {
  await jobKills({ database: database ?? '', jobs: 20, runners: 5, kills: 1, ageLost: 500 });
});
