import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { errorResponse } from '../../../src/http/responses.ts';
import { refuse } from '../../../src/http/server/refuse.ts';
import { recordedLog } from '../../support/recorded-log.ts';
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
  const { log, lines } = recordedLog();
  const reply = { code: () => reply, headers: () => reply, header: () => reply, send: () => reply };
  const request = { id: 'r1', method: 'POST', url: '/', raw: {} };
  await refuse({ ...t.context, log } as never, request as never, reply as never, error);
  assert.deepEqual(
    lines.map(({ level, code }) => [level, code]),
    [['warn', 'missing_reference']],
  );
  const script = await readFile(new URL('../../../.ci/run', import.meta.url), 'utf8');
  assert.ok(script.includes('"code":"missing_reference"'), 'the checks of a change look for it');
  const response = errorResponse(error, '', 'POST');
  assert.equal(response?.status, 404);
  assert.deepEqual(response.body, { message: 'something that this refers to was deleted meanwhile', url: '' });
});
