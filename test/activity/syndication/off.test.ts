// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { repository } from '../feed.ts';

const t = await testServer({ repository: { feedsEnabled: false } });
const alice = await t.user('alice');

it('there are no feeds for feed readers where the instance has none', async () => {
  await repository(alice, 'first');
  for (const address of ['alice.rss', 'alice/first.atom', 'alice/first/releases.rss']) {
    assert.equal((await alice.get(`//${address}`)).status, 404, address);
  }
});
