import type { Database } from '../database/database.ts';
import type { RepositoryMove } from '../database/tables/volumes.ts';
import { isInUse } from '../git/maintenance/orphans.ts';
import type { GitServices } from '../git/services.ts';
import type { Logger } from '../log.ts';
import type { ProcessRegistry } from './registry.ts';
import type { WakeUps } from './wake-ups.ts';

/** How often it is looked for moves, in milliseconds; wake-ups may be lost, and on SQLite do not reach other processes. */
const POLL_MS = 1000;
/** The same while one waits for this process. */
const BUSY_POLL_MS = 50;
/** Time limit of reads on the former volume that use no git process, in milliseconds. */
const READERS_MS = 1000;
/** The same if the system does not list processes, so that git may be reading too. */
const UNKNOWN_READERS_MS = 600_000;

interface Options {
  readonly database: Database;
  readonly processes: ProcessRegistry;
  readonly wakeUps: WakeUps;
  readonly git: GitServices;
  readonly log: Logger;
}

/**
 * How a process follows the moves of repositories to other volumes: it holds back writes to a repository that is locked, and confirms that
 * none is under way; it leads rows that were read before to the new place, and confirms that nobody reads the former one.
 */
export class MoveWatch {
  readonly #options: Options;
  readonly #unsubscribe: () => void;
  /** On which volume the repositories lie to which writes are held back. */
  readonly #locked = new Map<number, string>();
  /** The steps that this process has confirmed, by repository. */
  readonly #confirmed = new Map<number, number>();
  /** When this process has applied the moves whose readers it waits for. */
  readonly #followed = new Map<number, { step: number; since: number }>();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #again = false;
  #isClosed = false;

  private constructor(options: Options) {
    this.#options = options;
    this.#unsubscribe = options.wakeUps.on('moves', () => void this.look());
  }

  /** Begins, and resolves when the moves under way are followed: nothing is written before that. */
  static async start(options: Options): Promise<MoveWatch> {
    const watch = new MoveWatch(options);
    await watch.look();
    return watch;
  }

  /** Looks for moves now. */
  look(): Promise<void> {
    if (this.#look) {
      this.#again = true;
      return this.#look;
    }
    this.#look = this.#run().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Ends; writes that wait may begin. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#look;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    let isBusy = false;
    do {
      this.#again = false;
      try {
        isBusy = await this.#follow();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'moves of repositories to other volumes could not be followed');
      }
    } while (this.#again && !this.#isClosed);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.look(), isBusy ? BUSY_POLL_MS : POLL_MS).unref();
  }

  /** Returns whether a move waits for this process. */
  async #follow(): Promise<boolean> {
    const { database, git } = this.#options;
    const rows = await database.db.selectFrom('repository_moves').selectAll().where('phase', '!=', 'copying').execute();
    // The process that locked it is dead: nobody can continue it.
    const locked = rows.filter(({ phase, process_id }) => phase === 'locked' && process_id !== null);
    const moved = rows.filter(({ phase }) => phase === 'moved');
    for (const { repository_id, from_volume } of locked) {
      this.#locked.set(repository_id, from_volume);
      git.gate.close(repository_id);
    }
    for (const row of moved) await this.#relocate(row);
    await this.#open(git.gate.closed.filter((id) => !locked.some(({ repository_id }) => repository_id === id)));
    let isBusy = false;
    for (const row of locked) if (!(await this.#confirm(row, git.gate.isIdle(row.repository_id)))) isBusy = true;
    for (const row of moved) if (!(await this.#confirm(row, await this.#isUnread(row)))) isBusy = true;
    for (const map of [this.#confirmed, this.#followed])
      for (const id of map.keys()) if (!rows.some(({ repository_id }) => repository_id === id)) map.delete(id);
    return isBusy;
  }

  /** Allows writes again, at the repository's current path. */
  async #open(ids: readonly number[]): Promise<void> {
    const { database, git } = this.#options;
    for (const id of ids) {
      const row = await database.db.selectFrom('repositories').select('volume').where('id', '=', id).executeTakeFirst();
      const from = this.#locked.get(id);
      // A process that was considered dead may have missed the move.
      if (row && from !== undefined && from !== row.volume) git.relocate(id, from, row.volume);
      this.#locked.delete(id);
      git.gate.open(id);
    }
  }

  async #relocate({ repository_id: id, from_volume: from, to_volume: to, step }: RepositoryMove): Promise<void> {
    if (this.#followed.get(id)?.step === step) return;
    const { git } = this.#options;
    git.relocate(id, from, to);
    this.#followed.set(id, { step, since: performance.now() });
    for (const path of this.#formerPaths(id, from)) await git.pool.forget({ path });
  }

  async #isUnread({ repository_id: id, from_volume: from }: RepositoryMove): Promise<boolean> {
    const waited = performance.now() - (this.#followed.get(id)?.since ?? performance.now());
    if (waited < READERS_MS) return false;
    for (const path of this.#formerPaths(id, from)) {
      const isUsed = await isInUse(path);
      if (isUsed === true || (isUsed === undefined && waited < UNKNOWN_READERS_MS)) return false;
    }
    return true;
  }

  #formerPaths(id: number, from: string): string[] {
    const { volumes } = this.#options.git;
    return volumes.has(from) ? [`${id}.git`, `${id}.wiki.git`].map((name) => volumes.get(from).folderOf(name)) : [];
  }

  /** Confirms a step once it is followed; returns whether it is. */
  async #confirm({ repository_id, step }: RepositoryMove, isFollowed: boolean): Promise<boolean> {
    if (this.#confirmed.get(repository_id) === step) return true;
    if (!isFollowed) return false;
    const { database, processes } = this.#options;
    await database.db
      .insertInto('repository_move_steps')
      .values({ repository_id, process_id: processes.id, step })
      .onConflict((conflict) => conflict.columns(['repository_id', 'process_id']).doUpdateSet({ step }))
      .execute();
    this.#confirmed.set(repository_id, step);
    return true;
  }
}
