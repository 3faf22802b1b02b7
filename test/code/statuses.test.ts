import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statesOfCommits } from '../../src/code/statuses/of-commits.ts';
import { changesServer } from './changes.ts';

const { t, alice, repository } = await changesServer();

describe('what checks say', () => {
  it('is read for lists as different states, however many checks there are', async () => {
    const { path, at, row } = await repository('many-checks');
    const sha = at('refs/heads/main') ?? '';
    for (const [context, state] of Object.entries({ a: 'success', b: 'success', c: 'pending', d: 'success' })) {
      await alice.must('POST', `${path}/statuses/${sha}`, { context, state });
    }
    await alice.must('POST', `${path}/statuses/${sha}`, { context: 'c', state: 'success' });
    await alice.must('POST', `${path}/statuses/${sha}`, { context: 'd', state: 'failure' });
    const found = await statesOfCommits(t.context, row, [sha]);
    assert.deepEqual(found.get(sha)?.toSorted(), ['failure', 'success']);
  });

  it('counts the latest of each check, whatever was said before', async () => {
    const { path, at } = await repository('checks');
    const sha = at('refs/heads/main');
    for (const [context, state] of [
      ['a', 'failure'],
      ['b', 'success'],
      ['a', 'success'],
    ]) {
      await alice.must('POST', `${path}/statuses/${sha}`, { context, state });
    }
    const { state, total_count } = await alice.must('GET', `${path}/commits/main/status`);
    assert.deepEqual([state, total_count], ['success', 2]);
    assert.equal((await alice.must('GET', `${path}/statuses/${sha}`)).length, 3);
    assert.equal((await alice.must('GET', `${path}/statuses/${sha}?sort=oldest&limit=1`))[0].status, 'failure');
    // The newest are on the first page; of one second, those come first that came first.
    const shown = async (query: string) => {
      const { statuses } = await alice.must('GET', `${path}/commits/main/status?${query}`);
      return statuses.map(({ context }: { context: string }) => context);
    };
    assert.equal((await alice.get(`${path}/commits/main`)).text, '404 page not found\n');
    assert.deepEqual([await shown(''), await shown('limit=1'), await shown('limit=1&page=2')], [['b', 'a'], ['a'], ['b']]);
    await t.context.db
      .updateTable('commit_statuses')
      .set({ created_at: 1 })
      .where('sha', '=', sha ?? '')
      .execute();
    const listed = await alice.must('GET', `${path}/statuses/${sha}`);
    assert.deepEqual(
      listed.map(({ context, status }: { context: string; status: string }) => `${context} ${status}`),
      ['a failure', 'b success', 'a success'],
    );
  });

  it('is numbered by commit, also when many report at once', async () => {
    const { path, at } = await repository('numbered');
    const first = at('refs/heads/main');
    const ids = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, index) => (await alice.must('POST', `${path}/statuses/${first}`, { context: `c${index}`, state: 'success' })).id,
      ),
    );
    assert.deepEqual(ids.sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
    await alice.must('POST', `${path}/contents/next.txt`, { content: 'eA==', branch: 'main' });
    const second = at('refs/heads/main');
    assert.equal((await alice.must('POST', `${path}/statuses/${second}`, { state: 'success' })).id, 1);
    assert.equal((await alice.must('GET', `${path}/commits/${second}/status`)).statuses[0].id, 1);
  });

  it('is combined from those of the page that is requested', async () => {
    const { path, at } = await repository('paged-checks');
    const sha = at('refs/heads/main');
    for (const [context, state] of [
      ['a', 'failure'],
      ['b', 'pending'],
      ['c', 'success'],
    ]) {
      await alice.must('POST', `${path}/statuses/${sha}`, { context, state });
    }
    const combined = async (query: string) => (await alice.must('GET', `${path}/commits/main/status?${query}`)).state;
    assert.deepEqual(await Promise.all(['', 'limit=1', 'limit=2', 'limit=2&page=2', 'limit=2&page=3'].map(combined)), [
      'failure',
      'success',
      'pending',
      'failure',
      'pending',
    ]);
  });

  it('is refused where it says nothing that is known, or of no commit', async () => {
    const { path, at } = await repository('unknown-checks');
    const sha = at('refs/heads/main');
    for (const state of ['', 'great', 'SUCCESS', 5]) {
      assert.equal((await alice.post(`${path}/statuses/${sha}`, { state })).status, 422, String(state));
    }
    assert.equal((await alice.post(`${path}/statuses/${sha}`, { state: 'success', context: 'x'.repeat(1001) })).status, 422);
    assert.equal((await alice.post(`${path}/statuses/${'1'.repeat(40)}`, { state: 'success' })).status, 404);
    assert.deepEqual(await alice.must('GET', `${path}/statuses/${sha}`), []);
  });
});
