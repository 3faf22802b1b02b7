// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

it('a search within a repository finds its own issues alone, whether it has most of all or few', async () => {
  for (const name of ['most', 'few']) await alice.must('POST', '/user/repos', { name });
  const open = (repo: string, title: string, body = '') => alice.must('POST', `/repos/alice/${repo}/issues`, { title, body });
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await open('most', number > 6 ? `A needle ${number}` : `Hay ${number}`);
  await open('few', 'A needle in few');
  await alice.must('POST', '/repos/alice/most/issues/1/comments', { body: 'Is that the needle?' });
  await alice.must('POST', '/repos/alice/most/issues/8/comments', { body: 'A needle, again' });
  const found = async (repo: string, query: string) => {
    const { json, headers } = await alice.get(`/repos/alice/${repo}/issues?type=issues&${query}`);
    return [json.map(({ title }: { title: string }) => title), headers.get('x-total-count')];
  };
  const most = [['A needle 8', 'A needle 7', 'Hay 1'], '3'];
  const few = [['A needle in few'], '1'];
  assert.deepEqual([await found('most', 'q=needle'), await found('few', 'q=needle')], [most, few]);
  // From now on no repository has most of them.
  for (const number of [2, 3, 4]) await open('few', `Straw ${number}`);
  assert.deepEqual([await found('most', 'q=needle'), await found('few', 'q=needle')], [most, few]);
  assert.deepEqual(await found('few', 'q=hay'), [[], '0']);
});
