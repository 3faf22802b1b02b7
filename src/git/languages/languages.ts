import { WorkerLimitError } from '../../workers/errors.ts';
import type { TaskOptions, WorkerPool } from '../../workers/pool.ts';
import { readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { type AttributesFile, readAttributes } from '../trees/attributes.ts';
import { readTreeRecursiveSized, type SizedEntry } from '../trees/tree-listing.ts';
import type * as task from './language-task.ts';
import type { Choice, Look } from './language-task.ts';

/** The size of a repository's files in a language. */
export interface LanguageSize {
  readonly language: string;
  readonly bytes: number;
}

/** Dependencies of the statistics. */
export interface LanguageServices {
  readonly pool: GitPool;
  readonly workers: WorkerPool;
}

/** Larger files are classified by their names alone. */
const MAX_READ = 1024 * 1024;

/** How many bytes of a file are examined. */
const MAX_LOOK = 16 * 1024;

/** Size limit of all files that are read for one commit; after that, files are classified by their names alone. */
const MAX_TOTAL_READ = 512 * 1024 * 1024;

/** Files that are examined, and paths that are classified, with one call of a worker. */
const LOOK_BATCH = 64;
const CHOOSE_BATCH = 20_000;

/** Timeouts of a worker in milliseconds, for a batch, and for examining all files. */
const CHOOSE_MS = 10_000;
const LOOK_MS = 5000;
const TOTAL_LOOK_MS = 60_000;

const TASK = new URL('./language-task.ts', import.meta.url);
const NOTHING = Buffer.alloc(0);

/**
 * The languages of a commit's files by bytes, the most used first, counted like GitHub: programming and markup languages
 * only, without vendored, generated and documentation files, and with the attributes of `.gitattributes` (`linguist-language`,
 * `linguist-vendored`, `linguist-generated`, `linguist-documentation`, `linguist-detectable`, `gitlab-language`). A repository
 * with nothing else shows its first other language. Results are cached by blob id, so that after a push only changed files
 * are examined. Where this takes too long, less is used: rules of attributes are ignored, files are classified by their names.
 * @returns none if there is no such commit
 */
export async function countLanguages(
  repository: GitRepository,
  services: LanguageServices,
  commit: string,
  signal?: AbortSignal,
): Promise<LanguageSize[]> {
  const { pool } = services;
  signal?.throwIfAborted();
  const found = await readCommit(repository, pool, commit);
  const listing = found && (await readTreeRecursiveSized(repository, pool, found.tree));
  if (!listing) return [];
  const files = listing.entries.filter(({ type, size }) => type === 'blob' && size !== undefined && size > 0);
  const choices = await chooseFiles(services, files, await readAttributes(repository, pool, listing.entries), signal);
  const looks = new Looks(repository, services, signal);
  const count = new Count();
  for (let at = 0; at < files.length; at += LOOK_BATCH) {
    const batch = files.slice(at, at + LOOK_BATCH).map((file, i) => ({ file, choice: choices[at + i] }));
    for (const { file, choice } of batch) if (choice?.kind === 'named') count.add(choice.language, file.size ?? 0, true);
    const wanted = batch.flatMap(({ file, choice }) => (choice?.kind === 'look' ? [{ file, choice }] : []));
    const seen = await looks.at(wanted.map(({ file }) => file));
    wanted.forEach(({ file, choice }, i) => {
      const { language, type, generated } = seen[i] ?? {};
      if (language === undefined || (generated && !choice.evenGenerated)) return;
      count.add(language, file.size ?? 0, choice.always || type === 'programming' || type === 'markup');
    });
  }
  return count.sizes();
}

/** Classifies each file by its path. Rules that take too long are ignored from there on. */
async function chooseFiles(
  { workers }: LanguageServices,
  files: readonly SizedEntry[],
  attributes: readonly AttributesFile[],
  signal: AbortSignal | undefined,
): Promise<Choice[]> {
  const options: TaskOptions = { background: true, deadlineMs: CHOOSE_MS, signal };
  const choices: Choice[] = [];
  let rules = attributes;
  for (let at = 0; at < files.length; at += CHOOSE_BATCH) {
    const paths = files.slice(at, at + CHOOSE_BATCH).map(({ path }) => path);
    const ask = () => workers.run<typeof task>(TASK, { ask: 'choose', attributes: rules, paths }, options) as Promise<Choice[]>;
    let made = await unlessTooMuch(ask());
    if (!made) {
      rules = [];
      made = await ask();
    }
    for (const choice of made) choices.push(choice);
  }
  return choices;
}

/** Examines the beginnings of files, with limits for all of a commit. */
class Looks {
  readonly #repository: GitRepository;
  readonly #services: LanguageServices;
  readonly #signal: AbortSignal | undefined;
  #bytes = MAX_TOTAL_READ;
  #until: number | undefined;

  constructor(repository: GitRepository, services: LanguageServices, signal: AbortSignal | undefined) {
    this.#repository = repository;
    this.#services = services;
    this.#signal = signal;
  }

  /** One result for each file, in their order. */
  async at(files: readonly SizedEntry[]): Promise<Look[]> {
    const { cache } = this.#services.pool;
    const key = ({ oid, path }: SizedEntry) => `language ${oid} ${path}`;
    const looks = new Map(files.map((file) => [file, cache.get<Look>(this.#repository, key(file))]));
    const missing = files.filter((file) => !looks.get(file));
    if (missing.length > 0) {
      const contents = await Promise.all(missing.map((file) => this.#content(file)));
      const seen = await this.#ask(missing.map(({ path }, i) => ({ path, content: contents[i] ?? NOTHING })));
      missing.forEach((file, i) => {
        looks.set(file, seen[i]);
        cache.set(this.#repository, key(file), seen[i], 100);
      });
    }
    return files.flatMap((file) => looks.get(file) ?? []);
  }

  async #content({ oid, size = 0 }: SizedEntry): Promise<Uint8Array> {
    if (size > MAX_READ || size > this.#bytes) return NOTHING;
    this.#bytes -= size;
    const blob = await this.#services.pool.read(this.#repository, oid, { maxSize: MAX_READ });
    return blob?.data.subarray(0, MAX_LOOK) ?? NOTHING;
  }

  async #ask(files: readonly { path: string; content: Uint8Array }[]): Promise<Look[]> {
    this.#until ??= performance.now() + TOTAL_LOOK_MS;
    const known = performance.now() > this.#until ? undefined : await unlessTooMuch(this.#run(files));
    if (known) return known;
    const named = await unlessTooMuch(this.#run(files.map(({ path }) => ({ path, content: NOTHING }))));
    return named ?? files.map(() => UNKNOWN);
  }

  #run(files: readonly { path: string; content: Uint8Array }[]): Promise<Look[]> {
    const options: TaskOptions = { background: true, deadlineMs: LOOK_MS, signal: this.#signal };
    // For a slice of a buffer, the whole buffer would be copied.
    const whole = files.map(({ path, content }) => ({ path, content: new Uint8Array(content) }));
    return this.#services.workers.run<typeof task>(TASK, { ask: 'look', files: whole }, options) as Promise<Look[]>;
  }
}

const UNKNOWN: Look = { language: undefined, type: undefined, generated: false };

async function unlessTooMuch<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WorkerLimitError) return undefined;
    throw error;
  }
}

class Count {
  readonly #counted = new Map<string, number>();
  #other: { name: string; bytes: number } | undefined;

  add(name: string, bytes: number, isCounted: boolean): void {
    if (isCounted) this.#counted.set(name, (this.#counted.get(name) ?? 0) + bytes);
    else if (!this.#other || this.#other.name === name) this.#other = { name, bytes: (this.#other?.bytes ?? 0) + bytes };
  }

  sizes(): LanguageSize[] {
    if (this.#counted.size === 0 && this.#other) return [{ language: this.#other.name, bytes: this.#other.bytes }];
    return [...this.#counted].map(([language, bytes]) => ({ language, bytes })).sort((a, b) => b.bytes - a.bytes);
  }
}
