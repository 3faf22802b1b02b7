// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { repository } from '../feed.ts';

const t = await testServer({ access: { requireSignInView: true } });
const alice = await t.user('alice');

it('feeds are for those who have signed in, where the instance requires that', async () => {
  await repository(alice, 'first');
  for (const address of ['alice.rss', 'alice/first.atom', 'missing.rss']) {
    const { status, text } = await t.anonymous.get(`//${address}`);
    assert.deepEqual([status, text.includes('xml')], [403, false], address);
  }
  assert.equal((await alice.get('//alice/first.rss')).status, 200);
});
