import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import type { WakeUps } from '../../processes/wake-ups.ts';

/** Maximum number of runners that wait in one process; further ones get their response at once. */
const MAX_WAITING = 10_000;

/** A runner that waits for a job. */
interface Waiting {
  readonly place: Pick<ActionRunner, 'owner_id' | 'repository_id'>;
  /** The version of its level that it knows. */
  readonly version: number;
  readonly end: () => void;
}

/** A wait that has begun. */
interface Wait {
  readonly ended: Promise<void>;
  end(): void;
}

/** Runners that wait for jobs here, by id. One query checks for all of them whether there is anything new. */
class WaitingRunners {
  readonly #runners = new Map<number, Waiting>();
  #isLooking = false;
  #isAgain = false;
  #isStopped = false;

  constructor(context: Context) {
    const { database, log, wakeUps } = context;
    wakeUps.on('tasks', () => void this.#look(database.db).catch((error) => log.warn({ error }, 'runners that wait are not woken')));
    wakeUps.on('stop', () => this.#stop());
  }

  /**
   * Waits until the version of the runner's level has changed, the time is over, or the signal is aborted. Undefined for a
   * runner that waits already, or when there are too many.
   */
  begin(runner: ActionRunner, version: number, { ms, signal }: { ms: number; signal: AbortSignal }): Wait | undefined {
    if (this.#isStopped || signal.aborted || this.#runners.has(runner.id) || this.#runners.size >= MAX_WAITING) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#runners.delete(runner.id);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    this.#runners.set(runner.id, { place: runner, version, end });
    return { ended: promise, end };
  }

  #stop(): void {
    this.#isStopped = true;
    for (const { end } of [...this.#runners.values()]) end();
  }

  async #look(db: Context['db']): Promise<void> {
    this.#isAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isAgain && this.#runners.size > 0) {
        this.#isAgain = false;
        const versions = await versionsOf(db, [...this.#runners.values()]);
        for (const { place, version, end } of [...this.#runners.values()]) if ((versions.get(keyOf(place)) ?? version) !== version) end();
      }
    } finally {
      this.#isLooking = false;
    }
  }
}

/** How many levels one query reads. */
const BATCH = 500;

async function versionsOf(db: Context['db'], waiting: readonly Waiting[]): Promise<Map<string, number>> {
  const repositories = new Set(waiting.flatMap(({ place }) => place.repository_id ?? []));
  const owners = new Set(waiting.flatMap(({ place }) => (place.repository_id === null ? (place.owner_id ?? []) : [])));
  const versions = new Map<string, number>();
  const add = (rows: readonly { owner_id: number | null; repository_id: number | null; version: number }[]) => {
    for (const row of rows) versions.set(keyOf(row), row.version);
  };
  const all = db.selectFrom('action_task_versions').select(['owner_id', 'repository_id', 'version']);
  add(await all.where('owner_id', 'is', null).where('repository_id', 'is', null).execute());
  for (const ids of batches([...repositories])) add(await all.where('repository_id', 'in', ids).execute());
  for (const ids of batches([...owners])) add(await all.where('owner_id', 'in', ids).execute());
  return versions;
}

function batches(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, at) => ids.slice(at * BATCH, (at + 1) * BATCH));
}

function keyOf({ owner_id, repository_id }: Waiting['place']): string {
  return repository_id !== null ? `repository ${repository_id}` : owner_id !== null ? `owner ${owner_id}` : 'instance';
}

const waitingRunners = new WeakMap<WakeUps, WaitingRunners>();

/** The runners that wait in this process. */
export function waitingRunnersOf(context: Context): WaitingRunners {
  const found = waitingRunners.get(context.wakeUps) ?? new WaitingRunners(context);
  waitingRunners.set(context.wakeUps, found);
  return found;
}
