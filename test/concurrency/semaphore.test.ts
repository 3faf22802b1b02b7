import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BusyError, type Release, Semaphore } from '../../src/concurrency/semaphore.ts';

// On SQLite alone: no database is asked.

/** Acquires, and notes when the permit came. */
function acquirer(semaphore: Semaphore) {
  const order: string[] = [];
  const releases = new Map<string, Release>();
  return {
    order,
    acquire: async (name: string, key: string, weight = 1) => {
      const release = await semaphore.acquire(key, { weight });
      order.push(name);
      releases.set(name, release);
    },
    release: async (name: string) => {
      releases.get(name)?.();
      await turn();
    },
  };
}

describe('a semaphore', () => {
  it('lets so many run at one time, and the others in their order', async () => {
    const semaphore = new Semaphore({ permits: 2 });
    const { order, acquire, release } = acquirer(semaphore);
    for (const name of ['a', 'b', 'c', 'd']) void acquire(name, 'x');
    await turn();
    assert.deepEqual(order, ['a', 'b']);
    await release('a');
    await release('a');
    assert.deepEqual(order, ['a', 'b', 'c']);
    await release('b');
    await release('c');
    await release('d');
    assert.deepEqual([order, semaphore.taken, semaphore.waiting], [['a', 'b', 'c', 'd'], 0, 0]);
  });

  it('gives one key no more than its own, and lets others pass by those that wait for it', async () => {
    const semaphore = new Semaphore({ permits: 3, permitsPerKey: 2 });
    const { order, acquire, release } = acquirer(semaphore);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void acquire(name, 'a');
    void acquire('b1', 'b');
    void acquire('b2', 'b');
    await turn();
    assert.deepEqual(order, ['a1', 'a2', 'b1']);
    await release('a1');
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
    await release('b1');
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2']);
    await release('a2');
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('counts weights, starves no heavy one, and takes what is too heavy for as much as there is', async () => {
    const semaphore = new Semaphore({ permits: 10 });
    const { order, acquire, release } = acquirer(semaphore);
    void acquire('light', 'a', 4);
    void acquire('heavy', 'b', 99);
    void acquire('later', 'c', 1);
    await turn();
    assert.deepEqual(order, ['light']);
    await release('light');
    assert.deepEqual([order, semaphore.taken], [['light', 'heavy'], 10]);
    await release('heavy');
    assert.deepEqual(order, ['light', 'heavy', 'later']);
  });

  it('refuses when too many wait, in all or of one key', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 3, maxWaitingPerKey: 2 });
    const { acquire, release } = acquirer(semaphore);
    for (const [name, key] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
    ] as const)
      void acquire(name, key);
    await turn();
    await assert.rejects(semaphore.acquire('a'), BusyError);
    void acquire('b1', 'b');
    await assert.rejects(semaphore.acquire('c'), BusyError);
    for (const name of ['a1', 'a2', 'a3', 'b1']) await release(name);
    assert.equal(semaphore.taken, 0);
  });

  it('forgets who has waited too long or gone, and those behind them come', async () => {
    const semaphore = new Semaphore({ permits: 2, waitTimeoutMs: 5 });
    const held = await semaphore.acquire('a');
    await assert.rejects(semaphore.acquire('b', { weight: 2 }), BusyError);
    const gone = new AbortController();
    const waits = semaphore.acquire('b', { weight: 2, signal: gone.signal });
    const behind = semaphore.acquire('c');
    gone.abort();
    await assert.rejects(waits, { name: 'AbortError' });
    (await behind)();
    held();
    assert.deepEqual([semaphore.taken, semaphore.waiting], [0, 0]);
    await assert.rejects(semaphore.acquire('d', { signal: gone.signal }), { name: 'AbortError' });
  });

  it('gives permits back when the task fails', async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await assert.rejects(
      semaphore.run('a', async () => {
        throw new Error('no');
      }),
    );
    assert.equal(await semaphore.run('a', async () => semaphore.taken), 1);
    assert.equal(semaphore.taken, 0);
  });
});
