import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TaskSchedule } from '../../src/jobs/schedule.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';

const NAME = 'update_checker';

const t = await testServer();
const row = () => t.context.db.selectFrom('cron_tasks').selectAll().where('name', '=', NAME).executeTakeFirst();

describe('a regular task', () => {
  it('does not hold up the end of its process', async () => {
    const schedule = new TaskSchedule();
    let reason: unknown;
    let begun = false;
    schedule.work(NAME, async (_, signal) => {
      begun = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
    });
    const run = schedule.run(t.context, NAME);
    await eventually(() => begun);
    assert.equal((await row())?.process_id, t.context.processes.id);
    await schedule.stop();
    await run;
    assert.match(String(reason), /the process stops/);
    assert.equal((await row())?.process_id, null);
  });

  it('is run by one process at a time, and by others once that is dead', async () => {
    let runs = 0;
    const held = Promise.withResolvers<void>();
    const schedule = new TaskSchedule();
    schedule.work(NAME, async () => {
      if (++runs === 1) await held.promise;
    });
    const dead = await anotherProcess(t.context);
    const cut = schedule.run(dead, NAME);
    await eventually(() => runs === 1);
    await schedule.run(t.context, NAME);
    assert.equal(runs, 1);
    await kill(dead);
    await schedule.run(t.context, NAME);
    assert.equal(runs, 2);
    held.resolve();
    await cut;
  });
});
