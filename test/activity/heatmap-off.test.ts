import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ users: { heatmapEnabled: false } });

it('there is no heatmap where it is switched off', async () => {
  const alice = await t.user('alice');
  assert.equal((await alice.get('/users/alice/heatmap')).status, 404);
  assert.equal((await alice.get('/users/alice/activities/feeds')).status, 200);
});
