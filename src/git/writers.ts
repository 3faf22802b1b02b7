import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A note is valid at least this long: longer than any write takes. */
const GENERATION_MS = 2 * 3600 * 1000;

/** Repositories that a process was writing to. */
export interface WriterNotes {
  /** The id of the process, see processes/registry.ts. */
  readonly process: number;
  /** Whether they belong to this process. */
  readonly isOwn: boolean;
  /** Names of folders of repositories, such as `5.git`. */
  readonly names: readonly string[];
  /** Deletes these notes. */
  forget(): Promise<void>;
}

/**
 * Records beside the repositories which ones a process writes to: an empty file each, created before the first write. So the recovery after
 * a dead process finds its locks and temporary files without searching all repositories.
 */
export class RepositoryWriters {
  readonly #folder: string;
  readonly #process: number;
  /** Folders of notes, the newest last; each contains the notes of its time. */
  #generations: string[] = [];
  #noted = new Map<string, Promise<void>>();
  #began = 0;

  /**
   * @param root the folder of a volume
   * @param process the id of this process
   */
  constructor(root: string, process: number) {
    this.#folder = join(root, '.writers');
    this.#process = process;
  }

  /** Called before anything is written to a repository; `name` is that of its folder. */
  note(name: string): Promise<void> {
    if (performance.now() - this.#began > GENERATION_MS || this.#generations.length === 0) this.#begin();
    let noted = this.#noted.get(name);
    if (!noted) {
      noted = this.#write(this.#generations.at(-1) ?? '', name);
      this.#noted.set(name, noted);
      noted.catch(() => this.#noted.delete(name));
    }
    return noted;
  }

  /** The notes of all processes. */
  async list(): Promise<WriterNotes[]> {
    const folders = await namesIn(this.#folder);
    return Promise.all(
      folders.map(async (folder) => ({
        process: Number.parseInt(folder, 10),
        isOwn: this.#generations.includes(folder),
        names: (await namesIn(join(this.#folder, folder))).filter((name) => /^\d{1,15}(\.wiki)?\.git$/.test(name)),
        forget: () => this.#remove(folder),
      })),
    );
  }

  /** Deletes the notes of this process, which writes no more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#noted.values());
    for (const folder of this.#generations) await this.#remove(folder);
  }

  #begin(): void {
    // Random, since ids repeat when a database is restored from a backup.
    this.#generations.push(`${this.#process}-${randomBytes(4).toString('hex')}`);
    this.#noted = new Map();
    this.#began = performance.now();
    // Writes that were noted two generations ago have ended long ago.
    if (this.#generations.length > 2) void this.#remove(this.#generations.shift() ?? '').catch(() => {});
  }

  async #write(folder: string, name: string): Promise<void> {
    const path = join(this.#folder, folder);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, name), '');
  }

  async #remove(folder: string): Promise<void> {
    if (folder !== '') await rm(join(this.#folder, folder), { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
