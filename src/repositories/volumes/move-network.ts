import type { Context } from '../../context.ts';
import type { CopyProgress } from '../../git/copy-folder.ts';
import { finishMove } from './finish.ts';
import { moveRepository } from './move.ts';
import { type NetworkMember, networkOf } from './network.ts';
import { MoveError } from './steps.ts';

/** The part of the free space that a move leaves. */
const SPARE_PART = 0.05;
/** How many repositories may wait for the readers of their former folders while others are moved. */
const MAX_FINISHING = 16;

type Progress = (member: NetworkMember, progress: CopyProgress) => void;

/** Moves repositories to a volume, together with all forks that share files with them. */
export class VolumeMover {
  /** Repositories that have been moved. */
  moved = 0;
  /** Repositories whose former folders were still read; a job deletes them later. */
  unfinished = 0;
  readonly #context: Context;
  readonly #to: string;
  readonly #onProgress: Progress | undefined;
  readonly #finishing = new Set<Promise<void>>();

  /** @param to the name of the volume */
  constructor(context: Context, to: string, onProgress?: Progress) {
    this.#context = context;
    this.#to = to;
    this.#onProgress = onProgress;
  }

  /**
   * Moves a repository with its whole network, one by one: in between, and after an interruption, the network is on both volumes,
   * which only costs space.
   * @throws MoveError when one cannot be moved; before any is, if that is known
   */
  async move(id: number): Promise<void> {
    const links = new Map<string, string>();
    const done = new Set<number>();
    for (;;) {
      // New forks may be created meanwhile.
      const members = (await networkOf(this.#context.db, id)).filter(({ state, id }) => state !== 'deleting' && !done.has(id));
      const [member] = members;
      if (!member) return;
      await requireMovable(this.#context, members, this.#to);
      await moveRepository(this.#context, member.id, {
        to: this.#to,
        links,
        onProgress: (progress) => this.#onProgress?.(member, progress),
      });
      done.add(member.id);
      this.moved++;
      await this.#finish(member.id);
    }
  }

  /** Waits until the former folders are deleted, if that does not take long. */
  async finished(): Promise<void> {
    await Promise.all(this.#finishing);
  }

  async #finish(id: number): Promise<void> {
    const finishing = finishMove(this.#context, id).then(
      (isDone) => {
        if (!isDone) this.unfinished++;
      },
      () => {
        this.unfinished++;
      },
    );
    this.#finishing.add(finishing);
    void finishing.then(() => this.#finishing.delete(finishing));
    if (this.#finishing.size >= MAX_FINISHING) await Promise.race(this.#finishing);
  }
}

/** @throws MoveError */
async function requireMovable({ git }: Context, members: readonly NetworkMember[], to: string): Promise<void> {
  const unready = members.find(({ state }) => state !== 'ready');
  if (unready)
    throw new MoveError(`the repository ${unready.id} of the same network is still being made (${unready.state}): try again later`);
  const target = await git.volumes.requireAvailable(to);
  const bytes = members.filter(({ volume }) => volume !== to).reduce((sum, { size, lfs_size }) => sum + Math.max(0, size - lfs_size), 0);
  const free = (await target.freeSpace()) * (1 - SPARE_PART);
  if (bytes <= free) return;
  const mebibytes = (count: number) => `${Math.ceil(count / 2 ** 20)} MiB`;
  throw new MoveError(`the volume ${to} has ${mebibytes(free)} to spare, and the repositories of the network take ${mebibytes(bytes)}`);
}
