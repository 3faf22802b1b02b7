import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { WorkerLimitError, WorkersBusyError, WorkerTaskError } from '../../src/workers/errors.ts';
import { type TaskOptions, WorkerPool, type WorkerPoolOptions } from '../../src/workers/pool.ts';
import { processorTime } from '../support/processor-time.ts';
import type * as sample from './sample-task.ts';

const TASK = new URL('./sample-task.ts', import.meta.url);

/** Others do not say what a thread takes while it is within native code. */
const isLinux = process.platform === 'linux';

async function withPool(options: WorkerPoolOptions, use: (run: Run) => Promise<void>): Promise<void> {
  const pool = new WorkerPool(options);
  try {
    await use((payload, task) => pool.run<typeof sample>(TASK, payload, task));
  } finally {
    await pool.close();
  }
}

type Run = (payload: Parameters<typeof sample.run>[0], options?: TaskOptions) => Promise<number | undefined>;

describe('worker pool', () => {
  it('runs tasks and hands on what they throw', () =>
    withPool({}, async (run) => {
      assert.deepEqual(await Promise.all([1, 2, 3].map((value) => run({ what: 'double', value }))), [2, 4, 6]);
      await assert.rejects(run({ what: 'throw' }), (error) => error instanceof WorkerTaskError && error.taskError === 'RangeError');
      assert.equal(await run({ what: 'double', value: 4 }), 8);
    }));

  it('gives threads more young objects than the main thread has', () => {
    // As in `bin/copse`, for threads that are started from now on.
    setFlagsFromString('--max-semi-space-size=1');
    return withPool({}, async (run) => {
      const young = (await run({ what: 'young' })) ?? 0;
      assert.ok(young > 8, `${young} MiB`);
    });
  });

  it('lets the main thread have a processor first', { skip: !isLinux }, () =>
    withPool({}, async (run) => {
      const own = getPriority();
      const niceness = await run({ what: 'niceness' });
      assert.ok(niceness !== undefined && (niceness > own || own === 19), `${niceness}`);
      assert.equal(getPriority(), own);
    }),
  );

  it('gives a worker nothing of the environment', () => withPool({}, async (run) => assert.equal(await run({ what: 'thread' }), 0)));

  it('ends what passes its deadline, and goes on with the others', () =>
    withPool({ size: 2 }, async (run) => {
      const endless = [1, 2, 3].map(() =>
        assert.rejects(
          run({ what: 'spin' }, { deadlineMs: 300 }),
          (error) => error instanceof WorkerLimitError && error.limit === 'deadline',
        ),
      );
      const behind = run({ what: 'double', value: 5 });
      await Promise.all(endless);
      assert.equal(await behind, 10);
    }));

  it('counts the processor time of a task, and ends it when much more than that has passed', () =>
    withPool({}, async (run) => {
      assert.equal(await run({ what: 'wait', value: 600 }, { deadlineMs: 300 }), 600);
      await assert.rejects(
        run({ what: 'wait', value: 60_000 }, { deadlineMs: 100 }),
        (error) => error instanceof WorkerLimitError && error.limit === 'deadline',
      );
    }));

  it('ends what is within one long call of native code as soon', { skip: !isLinux }, () =>
    withPool({}, async (run) => {
      const time = await processorTime(() =>
        assert.rejects(
          run({ what: 'native', value: 40 }, { deadlineMs: 1000 }),
          (error) => error instanceof WorkerLimitError && error.limit === 'deadline',
        ),
      );
      assert.ok(time < 3500, `${time} ms`);
    }),
  );

  it('ends what takes too much memory, and nothing else', () =>
    withPool({ maxHeapMb: 32 }, async (run) => {
      await assert.rejects(
        run({ what: 'hoard' }, { deadlineMs: 60_000 }),
        (error) => error instanceof WorkerLimitError && error.limit === 'memory',
      );
      assert.equal(await run({ what: 'double', value: 6 }), 12);
    }));

  it('leaves a worker to the foreground', () =>
    withPool({ size: 2 }, async (run) => {
      const end = new AbortController();
      const background = [1, 2, 3].map(() => assert.rejects(run({ what: 'spin' }, { background: true, signal: end.signal })));
      assert.equal(await run({ what: 'double', value: 7 }), 14);
      end.abort();
      await Promise.all(background);
    }));

  it('refuses tasks beyond its queue, and those that have waited too long', () =>
    withPool({ size: 2, maxQueued: 1, maxWaitMs: 100 }, async (run) => {
      const end = new AbortController();
      const running = [1, 2].map(() => assert.rejects(run({ what: 'spin' }, { signal: end.signal })));
      const waiting = run({ what: 'double', value: 8 });
      await assert.rejects(run({ what: 'double', value: 9 }), WorkersBusyError);
      await assert.rejects(waiting, WorkersBusyError);
      end.abort();
      await Promise.all(running);
      assert.equal(await run({ what: 'double', value: 10 }), 20);
    }));

  it('takes an aborted task out of the queue', () =>
    withPool({ size: 2 }, async (run) => {
      const end = new AbortController();
      const first = [1, 2].map(() => run({ what: 'wait', value: 50 }));
      const queued = run({ what: 'double', value: 11 }, { signal: end.signal });
      end.abort(new Error('left'));
      await assert.rejects(queued, /left/);
      assert.deepEqual(await Promise.all(first), [50, 50]);
    }));
});
