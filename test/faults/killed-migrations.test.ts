import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDatabase } from '../support/database.ts';
import { dice, SEED } from '../support/random.ts';
import { MOMENTS, migrationKills } from './migration-kills.ts';

/* The short form of migration-kills.ts: one kill, at a moment that the seed of the run chooses. */

const moment = MOMENTS[dice(SEED)(MOMENTS.length)];
assert.ok(moment);

it(`goes on with a migration after a kill in the middle of it: ${moment}`, async () => {
  // An empty URL is SQLite, in the folder of the server.
  const database = process.env.COPSE_TEST_DATABASE_URL ? await newDatabase('') : undefined;
  try {
    await migrationKills([moment], database?.url);
  } finally {
    await database?.drop();
  }
});
