import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import type { Webhook } from '../../src/database/tables/webhooks.ts';
import { hooksForRef } from '../../src/webhooks/deliveries/for-ref.ts';
import { WorkerLimitError } from '../../src/workers/errors.ts';

/** Where matching in a worker always takes too long. */
let inWorker = 0;
const context = {
  log: { warn: () => {} },
  workers: {
    run: async () => {
      inWorker++;
      throw new WorkerLimitError('deadline', new URL('file:///task.ts'), 'too long');
    },
  },
} as unknown as Context;

const hook = (id: number, place: number | null, filter: string) =>
  ({ id, repository_id: place, branch_filter: filter }) as unknown as Webhook;
const found = async (hooks: readonly Webhook[], ref?: string) => (await hooksForRef(context, hooks, ref)).map(({ id }) => id);

describe('the filters of webhooks', () => {
  it('stand for names of branches or for whole names of refs', async () => {
    const hooks = [hook(1, 1, ''), hook(2, 1, 'v*'), hook(3, 1, 'refs/tags/*'), hook(4, null, '{main,v1}')];
    assert.deepEqual(await found(hooks, 'refs/heads/v1'), [1, 2, 4]);
    assert.deepEqual(await found(hooks, 'refs/tags/v1'), [1, 3]);
    assert.deepEqual(await found(hooks), [1, 2, 3, 4]);
    assert.equal(inWorker, 0);
  });

  it('that take long are matched in a worker, and let those of other places through', async () => {
    const slow = Array.from({ length: 200 }, (_, at) => hook(at + 10, 1, `${'{*a,*b,?}'.repeat(90)}x`));
    const hooks = [hook(1, 1, ''), hook(2, 1, '*'), ...slow, hook(3, null, '*')];
    assert.deepEqual(await found(hooks, `refs/heads/${'ab'.repeat(100)}xa`), [1, 3]);
    assert.equal(inWorker, 1);
  });
});
