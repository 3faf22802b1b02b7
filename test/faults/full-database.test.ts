// On SQLite alone: a PostgreSQL database cannot be made small.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const { db } = t.context;
/** More than the pages that are free within the database. */
const LARGE = 'x'.repeat(500_000);
/** SQLite's own. */
const MOST_PAGES = 4_294_967_294;

const limitPages = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);

it('refuses changes with a reason while the database has no space left, and takes them again once it has', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo' });
  await t.settled();
  // It becomes the number of pages that there are.
  await limitPages(1);
  const refused = await alice.post('/repos/alice/demo/issues', { title: 'large', body: LARGE });
  assert.deepEqual([refused.status, refused.json.message], [507, 'the database has no space left']);
  assert.deepEqual(await alice.must('GET', '/repos/alice/demo/issues'), []);
  await limitPages(MOST_PAGES);
  const { number } = await alice.must('POST', '/repos/alice/demo/issues', { title: 'large', body: LARGE });
  assert.equal(number, 1);
});
