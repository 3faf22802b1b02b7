import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../src/clock.ts';
import type { StoredEvent } from '../../src/events/event-log.ts';
import { Lease } from '../../src/events/leases.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { eventLogs } from './logs.ts';

const t = await testServer();
const { context } = t;
const { logFor, logWith, emit, waiting, leasedUntil, leaseUntil } = eventLogs(t);

describe('events between processes', () => {
  it('are handed on once and in order, whoever wrote them', async () => {
    const seen: number[] = [];
    let isBusy = false;
    const handle = async ({ payload }: StoredEvent<'user.created'>) => {
      assert.equal(isBusy, false, 'two are at it');
      isBusy = true;
      await sleep(1);
      seen.push(payload.userId);
      isBusy = false;
    };
    const both = [logWith(handle), logWith(handle)] as const;
    for (const log of both) log.start(context);
    for (let id = 0; id < 40; id++) await emit(both[id % 2 === 0 ? 0 : 1], id);
    // Either may be at it and has the other's too.
    await eventually(async () => (await waiting()).length === 0);
    for (const log of both) await log.stop();
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, id) => id),
    );
  });

  it('are left to the one that is at it until its lease ends', async () => {
    const seen: number[] = [];
    const log = logWith(async () => void seen.push(now()));
    const end = now() + 2;
    await leaseUntil(end);
    log.start(context);
    await emit(log, 1);
    await eventually(() => seen.length > 0);
    assert.ok((seen[0] ?? 0) >= end);
    await log.stop();
    assert.equal(await leasedUntil(), 0);
  });

  it('are not given back by one whose lease another has taken over', async () => {
    const held = Promise.withResolvers<void>();
    let begun = false;
    const log = logWith(async () => {
      begun = true;
      await held.promise;
    });
    log.start(context);
    await emit(log, 1);
    await eventually(() => begun);
    const theirs = now() + 100;
    await leaseUntil(theirs);
    held.resolve();
    await log.stop();
    assert.equal(await leasedUntil(), theirs);
  });

  it('that nobody here knows are left to those who do', async () => {
    const newer = logWith(async () => {});
    await emit(newer, 1);
    const older = logFor({ other: async () => {} });
    older.start(context);
    await emit(older, 2);
    await older.settled();
    assert.equal((await waiting()).length, 1);
  });
});

describe('the lease of a subscriber', () => {
  it("is one process's", async () => {
    await leaseUntil(0);
    const taken = await Promise.all(Array.from({ length: 5 }, () => Lease.take(context.db, 'test')));
    const leases = taken.filter((lease) => lease !== undefined);
    assert.equal(leases.length, 1);
    await leases[0]?.release();
    assert.equal(await leasedUntil(), 0);
  });

  it('is kept for as long as it takes, and ends when it cannot be renewed', async ({ mock }) => {
    await leaseUntil(0);
    const end = now() + 30;
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
    const lease = await Lease.take(context.db, 'test');
    for (let seconds = 0; seconds < 60; seconds += 10) {
      const before = await leasedUntil();
      mock.timers.tick(10_000);
      while ((await leasedUntil()) === before) await sleep(1);
    }
    assert.ok(((await leasedUntil()) ?? 0) >= end + 60);
    assert.equal(lease?.isHeld, true);
    await leaseUntil(now() + 100);
    mock.timers.tick(31_000);
    assert.equal(lease?.isHeld, false);
    await lease?.release();
  });
});
