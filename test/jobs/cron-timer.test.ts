import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { CronTimer } from '../../src/jobs/cron-timer.ts';

const MINUTE_MS = 60_000;

describe('timers of schedules', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: new Date(2026, 0, 1, 12, 1, 30) }));
  afterEach(() => mock.timers.reset());

  it('run at each time of the schedule, and not before', () => {
    const times: string[] = [];
    const timer = new CronTimer('@every 10m', () => times.push(new Date().toTimeString().slice(0, 8)));
    for (let minute = 0; minute < 20; minute++) mock.timers.tick(MINUTE_MS / 2);
    assert.deepEqual(times, ['12:10:00']);
    for (let minute = 0; minute < 20; minute++) mock.timers.tick(MINUTE_MS);
    assert.equal(times.length, 3);
    timer.stop();
    for (let minute = 0; minute < 20; minute++) mock.timers.tick(MINUTE_MS);
    assert.equal(times.length, 3);
  });

  it('run at a time that is months away', () => {
    let runs = 0;
    const timer = new CronTimer('@yearly', () => runs++);
    for (let hour = 0; hour < 364 * 24; hour++) mock.timers.tick(60 * MINUTE_MS);
    assert.equal(runs, 0);
    for (let hour = 0; hour < 24; hour++) mock.timers.tick(60 * MINUTE_MS);
    assert.equal(runs, 1);
    timer.stop();
  });
});
