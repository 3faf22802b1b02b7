import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { InvalidPatternError } from '../../src/text/pattern.ts';
import { matchExpressions } from '../../src/workers/match-expressions.ts';
import { WorkerPool } from '../../src/workers/pool.ts';

// On SQLite alone: no database is asked.

const workers = new WorkerPool();
after(() => workers.close());

describe('expressions of users', () => {
  it('are found or not in each text, and refused where they are none', async () => {
    assert.deepEqual(await matchExpressions({ workers }, ['^a', 'b$'], ['ab', 'b', 'c']), [
      [true, true],
      [false, true],
      [false, false],
    ]);
    assert.deepEqual(await matchExpressions({ workers }, [], ['a']), [[]]);
    await assert.rejects(matchExpressions({ workers }, ['('], []), InvalidPatternError);
  });

  it('hold nobody where they take long', async () => {
    const texts = Array.from({ length: 80 }, (_, at) => 'a'.repeat(250) + at);
    const before = process.threadCpuUsage();
    const found = await matchExpressions({ workers }, ['(?is)\\A(?:(a?){1000}b)\\z'], texts);
    const { user } = process.threadCpuUsage(before);
    assert.ok(found.every(([matches]) => matches === false));
    assert.ok(user < 500_000, `${user / 1000} ms of the main thread`);
  });
});
