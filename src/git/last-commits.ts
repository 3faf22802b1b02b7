import { type Commit, readCommit, readCommits } from './commits.ts';
import { listCommits } from './log.ts';
import type { GitPool } from './objects.ts';
import { runGit } from './process.ts';
import type { GitRepository } from './repository.ts';
import { findEntry, readTree, splitPath, type TreeEntry } from './trees.ts';

/*
 * The commit that last changed a file is found as `git log -1 -- file` finds it: from a commit to the first parent that holds the
 * same, until none does. That is a walk along one line of ancestors, so all entries of a folder are walked together, and a walk
 * that meets a commit whose answer is known is done: after a push only the new commits are looked at.
 */

/** Steps that are walked here; what is older is asked of git, which has an index of changed paths for it. */
const MAX_STEPS = 3_000;

/** Commits that are read ahead at once. */
const AHEAD = 128;

/** How many git processes one listing may ask at the same time. */
const MAX_PARALLEL = 2;

/**
 * The ids of the commits that last changed each entry of a folder, by name, as seen from a commit; `undefined` if there is no such
 * folder. The empty path is the root.
 */
export async function lastCommits(
  repository: GitRepository,
  pool: GitPool,
  commit: string,
  folder: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const kept = pool.cache.get<ReadonlyMap<string, string>>(repository, cacheKey(commit, folder));
  if (kept) return kept;
  const start = await readCommit(repository, pool, commit);
  const entries = start && (await folderAt(repository, pool, start, folder));
  if (!entries) return undefined;
  const found = await new Walk(repository, pool, folder).run(start, [...entries.keys()]);
  pool.cache.set(repository, cacheKey(commit, folder), found, 100 + 250 * found.size);
  return found;
}

/** The id of the commit that last changed a file or folder, as seen from a commit; `undefined` if it is not there. */
export async function lastCommit(repository: GitRepository, pool: GitPool, commit: string, path: string): Promise<string | undefined> {
  const names = splitPath(path);
  const name = names?.pop();
  if (!names || name === undefined) return path === '' ? commit : undefined;
  const folder = names.join('/');
  const all = pool.cache.get<ReadonlyMap<string, string>>(repository, cacheKey(commit, folder));
  if (all) return all.get(name);
  const kept = pool.cache.get<string>(repository, cacheKey(commit, path, 'one'));
  if (kept) return kept;
  const start = await readCommit(repository, pool, commit);
  if (!start || !(await findEntry(repository, pool, start.tree, path))) return undefined;
  const found = (await new Walk(repository, pool, folder).run(start, [name])).get(name);
  if (found) pool.cache.set(repository, cacheKey(commit, path, 'one'), found, 100);
  return found;
}

function cacheKey(commit: string, path: string, kind = 'all'): string {
  return `last-${kind} ${commit} ${path}`;
}

/** The entries of a folder in a commit; `undefined` if it has no such folder. */
async function folderAt(
  repository: GitRepository,
  pool: GitPool,
  commit: Commit,
  folder: string,
): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
  const tree = await findEntry(repository, pool, commit.tree, folder);
  if (tree?.type !== 'tree') return undefined;
  const key = `by-name ${tree.oid}`;
  const kept = pool.cache.get<ReadonlyMap<string, TreeEntry>>(repository, key);
  if (kept) return kept;
  const entries = await readTree(repository, pool, tree.oid);
  if (!entries) return undefined;
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  pool.cache.set(repository, key, byName, 60 * byName.size);
  return byName;
}

/** One search: which entries are being followed from which commit. */
class Walk {
  readonly #repository: GitRepository;
  readonly #pool: GitPool;
  readonly #folder: string;
  readonly #found = new Map<string, string>();
  /** Entries that are still looked for, by the commit that they have been followed to. */
  readonly #open = new Map<string, { commit: Commit; names: string[] }>();
  #history: { ids: string[]; at: number } | undefined;

  constructor(repository: GitRepository, pool: GitPool, folder: string) {
    this.#repository = repository;
    this.#pool = pool;
    this.#folder = folder;
  }

  async run(start: Commit, names: string[]): Promise<Map<string, string>> {
    this.#open.set(start.oid, { commit: start, names });
    for (let step = 0; this.#open.size > 0 && step < MAX_STEPS; step++) {
      if (step % AHEAD === 2) await this.#readAhead(start);
      const { commit, names } = this.#takeNewest();
      const known = this.#pool.cache.get<ReadonlyMap<string, string>>(this.#repository, cacheKey(commit.oid, this.#folder));
      if (known) for (const name of names) this.#found.set(name, known.get(name) ?? commit.oid);
      else await this.#step(commit, names);
    }
    await this.#askGit();
    return this.#found;
  }

  #takeNewest(): { commit: Commit; names: string[] } {
    let newest: { commit: Commit; names: string[] } | undefined;
    for (const one of this.#open.values()) {
      if (!newest || (one.commit.committer.seconds ?? 0) > (newest.commit.committer.seconds ?? 0)) newest = one;
    }
    if (!newest) throw new Error('nothing is left to look for');
    this.#open.delete(newest.commit.oid);
    return newest;
  }

  /** Moves each entry on to the first parent that holds the same; where none does, the commit is the one. */
  async #step(commit: Commit, names: string[]): Promise<void> {
    const here = await folderAt(this.#repository, this.#pool, commit, this.#folder);
    let left = names;
    for (const id of commit.parents) {
      if (left.length === 0) return;
      const parent = await readCommit(this.#repository, this.#pool, id);
      const there = parent && (await folderAt(this.#repository, this.#pool, parent, this.#folder));
      if (!there) continue;
      const same = there === here ? left : left.filter((name) => isSame(here?.get(name), there.get(name)));
      if (same.length === 0) continue;
      const open = this.#open.get(id);
      if (open) open.names.push(...same);
      else this.#open.set(id, { commit: parent, names: [...same] });
      left = there === here ? [] : left.filter((name) => !isSame(here?.get(name), there.get(name)));
    }
    for (const name of left) this.#found.set(name, commit.oid);
  }

  /** Reads the next commits of the history and their trees in a few round trips, instead of one for each step. */
  async #readAhead(start: Commit): Promise<void> {
    const { limit, filter } = { limit: MAX_STEPS + AHEAD, filter: { head: start.oid } };
    this.#history ??= { ids: await listCommits(this.#repository, this.#pool, filter, { limit }), at: 0 };
    const ids = this.#history.ids.slice(this.#history.at, this.#history.at + AHEAD + 2);
    this.#history.at += AHEAD;
    const commits = await readCommits(this.#repository, this.#pool, ids);
    await Promise.all(commits.map((commit) => folderAt(this.#repository, this.#pool, commit, this.#folder)));
  }

  async #askGit(): Promise<void> {
    const rest = [...this.#open.values()].flatMap(({ commit, names }) => names.map((name) => ({ commit: commit.oid, name })));
    const ask = async () => {
      for (let one = rest.pop(); one; one = rest.pop()) {
        const path = this.#folder === '' ? one.name : `${this.#folder}/${one.name}`;
        const args = ['--literal-pathspecs', 'rev-list', '--max-count=1', '--end-of-options', one.commit, '--', path];
        const { stdout } = await runGit(args, {
          cwd: this.#repository.path,
          ...(this.#repository.quarantine && { env: this.#repository.quarantine }),
        });
        this.#found.set(one.name, stdout.toString('latin1').trim() || one.commit);
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL }, ask));
  }
}

function isSame(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a !== undefined && a.oid === b?.oid && a.mode === b.mode;
}
