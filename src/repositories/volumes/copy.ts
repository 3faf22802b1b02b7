import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type CopyProgress, type LinkedFiles, syncFolder } from '../../git/copy-folder.ts';
import { fsck } from '../../git/maintenance/maintenance.ts';
import { runGit } from '../../git/processes/process.ts';
import type { Volume } from '../../git/volumes.ts';
import { syncEntries } from '../../storage/sync-entries.ts';
import { MoveError } from './steps.ts';

/** How often a copy is repeated if its source was repacked meanwhile. */
const MAX_CHECKS = 3;

interface CopyOptions {
  readonly links: LinkedFiles;
  /** Timeout of each git process. */
  readonly timeoutMs: number;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** The copy of a repository, or a wiki, on another volume; it has a temporary name until it is complete. */
export class RepositoryCopy {
  readonly #source: string;
  readonly #target: string;
  readonly #building: string;
  readonly #options: CopyOptions;
  /** The objects of the refs when the copy was checked. */
  #checked: readonly string[] = [];
  #isPlaced = false;

  /** @param name the folder, such as `5.wiki.git` */
  constructor(from: Volume, to: Volume, name: string, options: CopyOptions) {
    this.#source = from.folderOf(name);
    this.#target = to.folderOf(name);
    this.#building = movingPath(this.#target);
    this.#options = options;
  }

  /**
   * @param isResumed whether existing files at the target may be of an earlier attempt
   * @throws MoveError when something else is there
   */
  async begin(isResumed: boolean): Promise<void> {
    if (!existsSync(this.#target)) return;
    if (!isResumed) throw new MoveError(`there is a folder at ${this.#target} already: see what copse doctor says of it`);
    await rm(this.#building, { recursive: true, force: true });
    await rename(this.#target, this.#building);
  }

  /**
   * Copies the repository while it is written to, and lets git check the copy.
   * @throws MoveError when the repository is damaged
   */
  async prepare(): Promise<void> {
    if (!this.#isThere) return;
    for (let attempt = 1; ; attempt++) {
      await syncFolder(this.#source, this.#building, this.#options);
      const { problems } = await fsck({ path: this.#building }, this.#options);
      if (problems.length === 0) break;
      if (attempt === MAX_CHECKS) throw new MoveError(`${this.#source} is damaged, its copy too: ${problems.slice(0, 3).join('; ')}`);
    }
    this.#checked = await this.#tips();
  }

  /** Synchronizes the copy and renames it to its final path. Nobody may write to the repository. */
  async finish(): Promise<void> {
    if (!this.#isThere) {
      await rm(this.#building, { recursive: true, force: true });
      return;
    }
    await syncFolder(this.#source, this.#building, this.#options);
    const input = [...(await this.#tips()), ...this.#checked.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
    // Objects since the check must be complete; those that were checked may be unreachable by now, and deleted.
    await this.#git(['rev-list', '--objects', '--quiet', '--ignore-missing', '--stdin'], input);
    await rename(this.#building, this.#target);
    this.#isPlaced = true;
    await syncEntries(dirname(this.#target));
  }

  /** Deletes the copy; the repository's row must not name it. */
  async discard(): Promise<void> {
    await rm(this.#building, { recursive: true, force: true });
    if (this.#isPlaced) await rm(this.#target, { recursive: true, force: true });
  }

  get #isThere(): boolean {
    return existsSync(join(this.#source, 'HEAD'));
  }

  /** @throws GitError when the object of a ref is missing */
  async #tips(): Promise<string[]> {
    const { stdout } = await this.#git(['for-each-ref', '--format=%(objectname) %(objecttype)'], '');
    const ids = stdout
      .toString()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    return [...new Set(ids.filter(Boolean))];
  }

  #git(args: readonly string[], input: string) {
    return runGit(args, { cwd: this.#building, input, timeoutMs: this.#options.timeoutMs, memory: 'unbounded' });
  }
}

/** The temporary path of a copy, beside its final one. */
export function movingPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.moving`);
}
