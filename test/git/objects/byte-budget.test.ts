import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteBudget } from '../../../src/git/objects/byte-budget.ts';

describe('byte budget', () => {
  it('lets callers wait in their order, and takes what is too much as all', async () => {
    const budget = new ByteBudget(10);
    const log: string[] = [];
    const hold = (name: string, bytes: number) =>
      budget.with(bytes, async () => {
        log.push(`${name} ${budget.used}`);
        await new Promise((resolve) => setImmediate(resolve));
      });
    await Promise.all([hold('a', 6), hold('b', 4), hold('c', 50), hold('d', 1)]);
    assert.deepEqual(log, ['a 6', 'b 10', 'c 10', 'd 1']);
    assert.equal(budget.used, 0);
    await assert.rejects(budget.with(1, () => Promise.reject(new Error('x'))));
    assert.equal(budget.used, 0);
  });
});
