import assert from 'node:assert/strict';
import { it } from 'node:test';
import { errorResponse } from '../../../src/http/responses.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();

it('a request that refers to what was deleted meanwhile is refused', async () => {
  const alice = await t.user('alice');
  await alice.must('POST', '/user/repos', { name: 'demo' });
  const { id } = await alice.must('POST', '/repos/alice/demo/issues', { title: 'one' });
  const late = t.context.db.insertInto('issue_labels').values({ issue_id: id, label_id: 1_000_000 }).execute();
  const error = await late.then(
    () => undefined,
    (error: unknown) => error,
  );
  const response = errorResponse(error, '', 'POST');
  assert.equal(response?.status, 404);
  assert.deepEqual(response.body, { message: 'something that this refers to was deleted meanwhile', url: '' });
});
