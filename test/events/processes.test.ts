import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '../../src/events/events.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { eventLogs, REPOSITORY } from './logs.ts';

const t = await testServer();
const { context } = t;
const { logFor, logWith, emit, emitIn, waiting, holder, giveTo } = eventLogs(t);

describe('events between processes', () => {
  it('are delivered once and in the order of their repository, for any writer', async () => {
    const seen = new Map<number, number[]>();
    const busy = new Set<number>();
    const handle = async ({ payload: { repositoryId, actorId } }: StoredEvent<'star.added'>) => {
      assert.ok(!busy.has(repositoryId), 'two are at it');
      busy.add(repositoryId);
      await sleep(1);
      seen.set(repositoryId, [...(seen.get(repositoryId) ?? []), actorId]);
      busy.delete(repositoryId);
    };
    const both = [logWith(handle), logWith(handle)] as const;
    both[0].start(await anotherProcess(context));
    both[1].start(await anotherProcess(context));
    const ids = Array.from({ length: 60 }, (_, id) => id);
    for (const id of ids) await emitIn(both[id % 2 === 0 ? 0 : 1], REPOSITORY + (id % 3), id);
    await eventually(async () => (await waiting()).length === 0);
    for (const log of both) await log.stop();
    for (const rest of [0, 1, 2]) {
      assert.deepEqual(
        seen.get(REPOSITORY + rest),
        ids.filter((id) => id % 3 === rest),
      );
    }
  });

  it('of several repositories are handed on at the same time', async () => {
    const held = Promise.withResolvers<void>();
    const begun: number[] = [];
    const log = logWith(async ({ payload }) => {
      begun.push(payload.repositoryId);
      if (payload.repositoryId === REPOSITORY) await held.promise;
    });
    log.start(context);
    await emit(log, 1, 2);
    await eventually(() => begun.length === 1);
    await emitIn(log, REPOSITORY + 1, 3);
    await eventually(() => begun.length === 2);
    held.resolve();
    await log.settled();
    assert.deepEqual(begun, [REPOSITORY, REPOSITORY + 1, REPOSITORY]);
  });

  it('are left to the process that handles them until it is dead', async () => {
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => void seen.push(payload.actorId));
    const dead = await anotherProcess(context);
    await giveTo(dead.processes.id);
    log.start(context);
    await emit(log, 1);
    await log.settled();
    assert.deepEqual(seen, []);
    await kill(dead);
    await eventually(() => seen.length > 0);
    await log.stop();
    assert.equal(await holder(), undefined);
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
    const other = await anotherProcess(context);
    await giveTo(other.processes.id);
    held.resolve();
    await log.stop();
    assert.equal(await holder(), other.processes.id);
  });

  it('are no longer handled by a process that was considered dead', async () => {
    const held = Promise.withResolvers<void>();
    const seen: number[] = [];
    const slow = await anotherProcess(context);
    const log = logWith(async ({ payload }) => {
      seen.push(payload.actorId);
      await held.promise;
    });
    log.start(slow);
    await emit(log, 1, 2);
    await eventually(() => seen.length > 0);
    // It finds that out with its next heartbeat.
    await context.db.deleteFrom('processes').where('id', '=', slow.processes.id).execute();
    await eventually(async () => await context.processes.isAlive(slow.processes.id));
    await giveTo(context.processes.id);
    held.resolve();
    await log.settled();
    assert.deepEqual(seen, [1]);
  });

  it('wake other processes', async () => {
    let isSeen = false;
    const log = logWith(async () => {
      isSeen = true;
    });
    log.start(await anotherProcess(context));
    await log.settled();
    const begun = performance.now();
    await emit(
      logWith(async () => {}),
      1,
    );
    await eventually(() => isSeen);
    // Without a wake-up it is looked every 2 s.
    if (context.database.dialect === 'postgres') assert.ok(performance.now() - begun < 1500);
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
