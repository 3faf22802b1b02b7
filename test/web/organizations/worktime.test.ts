import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const mallory = new Browser(t.url);
await t.user('mallory');
await mallory.signIn('mallory', PASSWORD);
await alice.must('POST', '/orgs', { username: 'acme', visibility: 'private' });
const HOSTILE = '<b>1.0</b>';
for (const name of ['anvil', 'hammer']) await alice.must('POST', '/orgs/acme/repos', { name });
await alice.must('POST', '/user/repos', { name: 'own' });
const { id: milestone } = await alice.must('POST', '/repos/acme/anvil/milestones', { title: HOSTILE });
await alice.must('POST', '/repos/acme/anvil/issues', { title: 'Forge', milestone });
for (const repository of ['acme/anvil', 'acme/hammer', 'alice/own'])
  await alice.must('POST', `/repos/${repository}/issues`, { title: 'Work' });
const track = (issue: string, time: number, created: string, by = alice) => by.must('POST', `/repos/${issue}/times`, { time, created });
await alice.must('PUT', '/repos/acme/anvil/collaborators/bob', { permission: 'write' });
await track('acme/anvil/issues/1', 3600, '2026-03-10T00:00:00Z');
await track('acme/anvil/issues/2', 600, '2026-03-20T23:59:59Z', bob);
await track('acme/hammer/issues/1', 7200, '2026-03-15T12:00:00Z');
await track('acme/hammer/issues/1', 60, '2026-03-21T00:00:00Z');
await track('alice/own/issues/1', 36_000, '2026-03-15T12:00:00Z');
const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);
const member = new Browser(t.url);
await member.signIn('bob', PASSWORD);
const PAGE = '/org/acme/worktime';
const RANGE = 'from=2026-03-10&to=2026-03-20';

/** The cells of the table, row by row. */
async function rows(query: string): Promise<string[][]> {
  const { text, status } = await owner.get(`${PAGE}?${query}`);
  assert.equal(status, 200);
  assert.ok(!text.includes(HOSTILE));
  return [...text.matchAll(/<tr>(<td>.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, '').trim()),
  );
}

describe('the time that was spent in an organization', () => {
  it('is added up by repository, milestone and member, from the first day to the end of the last', async () => {
    assert.deepEqual(await rows(RANGE), [
      ['anvil', '1 h 10 min', '37 %'],
      ['hammer', '2 h', '63 %'],
    ]);
    assert.deepEqual(await rows(`${RANGE}&by=milestones`), [
      ['anvil', '&lt;b&gt;1.0&lt;/b&gt;', '1 h', '32 %'],
      ['anvil', 'No milestone', '10 min', '5 %'],
      ['hammer', 'No milestone', '2 h', '63 %'],
    ]);
    assert.deepEqual(await rows(`${RANGE}&by=members`), [
      ['alice', '3 h', '95 %'],
      ['bob', '10 min', '5 %'],
    ]);
    assert.deepEqual(await rows(`${RANGE}&by=repos`), await rows(RANGE));
    assert.deepEqual(await rows('from=2025-01-01&to=2025-01-31'), []);
  });

  it('begins with this month, and refuses what are not days', async () => {
    assert.match((await owner.get(PAGE)).text, /name="from" type="date" value="\d{4}-\d\d-01"/);
    for (const query of ['from=x', 'from=2026-03-40', 'from=2026-03-10&to=2026-03-09'])
      assert.equal((await owner.get(`${PAGE}?${query}`)).status, 422, query);
  });

  it('is for owners alone', async () => {
    assert.equal((await mallory.get(PAGE)).status, 404);
    assert.match((await new Browser(t.url).get(PAGE)).location, /user\/login/);
    const [team] = await alice
      .must('POST', '/orgs/acme/teams', { name: 'smiths', permission: 'read', units: ['repo.code'] })
      .then((made) => [made]);
    await alice.must('PUT', `/teams/${team.id}/members/bob`);
    assert.equal((await member.get(PAGE)).status, 403);
    assert.ok((await owner.get('/org/acme/settings')).text.includes(PAGE));
  });
});
