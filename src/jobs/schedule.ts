import { now } from '../clock.ts';
import { internalContext, type ScheduleService, type Services, type TaskWork } from '../context.ts';
import type { Db } from '../database/database.ts';
import { recordNotice } from '../database/notices.ts';
import { endOrRelease } from '../processes/release.ts';
import { runBounded, StoppedError } from './bounded.ts';
import { CronTimer, nextTimeOf } from './cron-timer.ts';
import { type ScheduledTask, TASKS, type TaskName } from './tasks.ts';

/** How long a task may take before it is aborted, in seconds. */
const DEADLINE = 12 * 3600;
/** If two processes find the same due time, a task runs only once; no task is due more often. */
const SAME_TIME_SECONDS = 30;

/** Runs the scheduled tasks when they are due, each once at a time among all processes. */
export class TaskSchedule implements ScheduleService {
  readonly #work = new Map<TaskName, TaskWork[]>();
  readonly #timers: CronTimer[] = [];
  readonly #active = new Map<Promise<void>, AbortController>();
  #stopped = false;

  work(name: TaskName, work: TaskWork): void {
    this.#work.set(name, [...(this.#work.get(name) ?? []), work]);
  }

  start(services: Services): void {
    for (const [name, schedule] of schedulesOf(services)) {
      if (schedule !== null) this.#timers.push(new CronTimer(schedule, () => void this.#begin(services, name, SAME_TIME_SECONDS)));
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) timer.stop();
    for (const controller of this.#active.values()) controller.abort(new StoppedError('the process stops'));
    await Promise.all(this.#active.keys());
  }

  run(services: Services, name: TaskName): Promise<void> {
    return this.#begin(services, name, 0);
  }

  async list({ settings, database: { db } }: Services): Promise<ScheduledTask[]> {
    const rows = await db.selectFrom('cron_tasks').selectAll().execute();
    return [...schedulesOf({ settings })].map(([name, schedule]) => {
      const row = rows.find((row) => row.name === name);
      const next = schedule === null ? null : nextTimeOf(schedule);
      return {
        name,
        schedule: schedule ?? '-',
        next: next && Math.floor(next.getTime() / 1000),
        prev: row?.started_at || null,
        runs: row?.runs ?? 0,
      };
    });
  }

  #begin(services: Services, name: TaskName, notWithin: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const controller = new AbortController();
    const running = this.#run(services, name, notWithin, controller)
      .catch((error: unknown) => {
        if (error instanceof StoppedError) services.log.info({ task: name }, 'a regular task was aborted because the process stops');
        else {
          services.log.error({ task: name, err: error }, 'a regular task failed');
          return recordNotice({ db: services.database.db, log: services.log }, { kind: 'task', subject: name, text: String(error) });
        }
      })
      .finally(() => this.#active.delete(running));
    this.#active.set(running, controller);
    return running;
  }

  async #run(services: Services, name: TaskName, notWithin: number, controller: AbortController): Promise<void> {
    const { processes } = services;
    const { db } = services.database;
    const time = now();
    await db
      .insertInto('cron_tasks')
      .values({ name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    let failure = '';
    const release = (db: Db) =>
      db
        .updateTable('cron_tasks')
        .set({ process_id: null, error: failure })
        .where('name', '=', name)
        .where('process_id', '=', processes.id)
        .execute();
    // The database may have taken it without reporting that.
    const taken = await endOrRelease(services, release, () =>
      db
        .updateTable('cron_tasks')
        .set((tasks) => ({ process_id: processes.id, started_at: time, runs: tasks('runs', '+', 1) }))
        .where('name', '=', name)
        .where('process_id', 'is', null)
        .where('started_at', '<=', time - notWithin)
        .executeTakeFirst(),
    );
    if (taken.numUpdatedRows === 0n) return;
    try {
      await runBounded(controller, DEADLINE, async () => {
        for (const work of this.#work.get(name) ?? []) {
          controller.signal.throwIfAborted();
          await work(internalContext(services), controller.signal);
        }
      });
    } catch (error) {
      failure = String(error).slice(0, 2000);
      throw error;
    } finally {
      await endOrRelease(services, release, () => release(db));
    }
  }
}

function schedulesOf({ settings }: Pick<Services, 'settings'>): Map<TaskName, string | null> {
  return new Map(Object.entries(TASKS).map(([name, schedule]) => [name as TaskName, schedule(settings)]));
}
