import { type Commit, readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { TreeEntry } from '../objects/tree-entry.ts';
import type { GitRepository } from '../repository.ts';
import { findEntries, findEntry, readTree, splitPath } from '../trees/trees.ts';
import { type FolderCommit, folderHistory } from './folder-history.ts';
import { listCommits, newestCommit } from './log.ts';

/*
 * The commit that last changed a file is found like `git log -1 -- file` finds it: from a commit to the first parent with the same item,
 * until none has it. That is a walk along one line of ancestors, so all entries of a folder are walked together, and a walk
 * that reaches a commit with a known result ends: after a push only the new commits are examined.
 */

/** Maximum number of steps that are walked here; for older commits git is run, which has an index of changed paths. */
const MAX_STEPS = 100;

/** How many commits are read ahead at once. */
const AHEAD = 50;

/** Up to so many entries are searched one by one; for more, git lists the history of their folder. */
const FEW = 3;

/** The number of commits of a folder's history that take git as long as one entry. */
const COMMITS_FOR_ONE = 250;

/** How many git processes one listing may run at the same time. */
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
  const cached = pool.cache.get<ReadonlyMap<string, string>>(repository, cacheKey(commit, folder));
  if (cached) return cached;
  const start = await readCommit(repository, pool, commit);
  const tree = start && (await findEntry(repository, pool, start.tree, folder));
  const entries = tree?.type === 'tree' ? await readTree(repository, pool, tree.oid) : undefined;
  if (!entries) return undefined;
  const names = entries.map(({ name }) => name);
  const found = await new Walk(repository, pool, folder).run(commit, names);
  pool.cache.set(repository, cacheKey(commit, folder), found, 100 + 250 * found.size);
  return found;
}

/** The id of the commit that last changed a file or folder, as seen from a commit; `undefined` if there is none. */
export async function lastCommit(repository: GitRepository, pool: GitPool, commit: string, path: string): Promise<string | undefined> {
  const names = splitPath(path);
  const name = names?.pop();
  if (!names || name === undefined) return path === '' ? commit : undefined;
  const folder = names.join('/');
  const all = pool.cache.get<ReadonlyMap<string, string>>(repository, cacheKey(commit, folder));
  if (all) return all.get(name);
  const cached = pool.cache.get<string>(repository, cacheKey(commit, path, 'one'));
  if (cached) return cached;
  const start = await readCommit(repository, pool, commit);
  if (!start || !(await findEntry(repository, pool, start.tree, path))) return undefined;
  const found = (await new Walk(repository, pool, folder).run(commit, [name])).get(name);
  if (found) pool.cache.set(repository, cacheKey(commit, path, 'one'), found, 100);
  return found;
}

function cacheKey(commit: string, path: string, kind = 'all'): string {
  return `last-${kind} ${commit} ${path}`;
}

/** A commit of the walk, and the tree of the folder in it; `undefined` where it has no such folder. */
interface Position {
  readonly commit: Commit;
  readonly tree: string | undefined;
}

/** Entries that are searched together: their walks have reached the same commit. */
interface Open {
  readonly position: Position;
  readonly names: string[];
}

/** One search in a history. */
class Walk {
  readonly #repository: GitRepository;
  readonly #pool: GitPool;
  readonly #folder: string;
  readonly #found = new Map<string, string>();
  readonly #open = new Map<string, Open>();
  readonly #positions = new Map<string, Position>();
  #history: { ids: string[]; at: number } | undefined;

  constructor(repository: GitRepository, pool: GitPool, folder: string) {
    this.#repository = repository;
    this.#pool = pool;
    this.#folder = folder;
  }

  async run(start: string, names: string[]): Promise<Map<string, string>> {
    const position = await this.#findPosition(start);
    if (position) this.#open.set(start, { position, names });
    for (let step = 0; this.#open.size > 0 && step < MAX_STEPS; step++) {
      if (step % AHEAD === 2) await this.#readAhead(start);
      const open = this.#takeNewest();
      const { oid } = open.position.commit;
      const known = this.#pool.cache.get<ReadonlyMap<string, string>>(this.#repository, cacheKey(oid, this.#folder));
      if (known) for (const name of open.names) this.#found.set(name, known.get(name) ?? oid);
      else await this.#step(open);
    }
    await this.#readHistories();
    return this.#found;
  }

  #takeNewest(): Open {
    let newest: Open | undefined;
    for (const open of this.#open.values()) {
      if (!newest || timeOf(open) > timeOf(newest)) newest = open;
    }
    if (!newest) throw new Error('no entries are left to look for');
    this.#open.delete(newest.position.commit.oid);
    return newest;
  }

  /** Moves each entry on to the first parent with the same item; where none has it, this commit is the result. */
  async #step({ position, names }: Open, parents: readonly string[] = position.commit.parents): Promise<void> {
    let left = names;
    for (const id of parents) {
      if (left.length === 0) return;
      const parent = this.#positions.get(id) ?? (await this.#findPosition(id));
      if (parent?.tree === undefined) continue;
      if (parent.tree === position.tree) {
        this.#follow(parent, left);
        return;
      }
      const [here, there] = await Promise.all([this.#entries(position.tree, left), this.#entries(parent.tree, left)]);
      const same = left.filter((name) => isSame(here.get(name), there.get(name)));
      if (same.length === 0) continue;
      this.#follow(parent, same);
      left = left.filter((name) => !isSame(here.get(name), there.get(name)));
    }
    for (const name of left) this.#found.set(name, position.commit.oid);
  }

  #follow(position: Position, names: readonly string[]): void {
    const open = this.#open.get(position.commit.oid);
    if (open) open.names.push(...names);
    else this.#open.set(position.commit.oid, { position, names: [...names] });
  }

  async #findPosition(oid: string): Promise<Position | undefined> {
    const commit = await readCommit(this.#repository, this.#pool, oid);
    if (!commit) return undefined;
    const entry = await findEntry(this.#repository, this.#pool, commit.tree, this.#folder);
    const position = { commit, tree: entry?.type === 'tree' ? entry.oid : undefined };
    this.#positions.set(oid, position);
    return position;
  }

  async #entries(tree: string | undefined, names: readonly string[]): Promise<ReadonlyMap<string, TreeEntry>> {
    if (tree === undefined) return new Map();
    if (names.length <= FEW) return await findEntries(this.#repository, this.#pool, tree, names);
    const key = `by-name ${tree}`;
    const cached = this.#pool.cache.get<ReadonlyMap<string, TreeEntry>>(this.#repository, key);
    if (cached) return cached;
    const entries = (await readTree(this.#repository, this.#pool, tree)) ?? [];
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    this.#pool.cache.set(this.#repository, key, byName, 60 * byName.size);
    return byName;
  }

  /** Reads the next commits of the history and their trees in a few round trips, instead of one for each step. */
  async #readAhead(start: string): Promise<void> {
    const page = { limit: MAX_STEPS + AHEAD };
    this.#history ??= { ids: await listCommits(this.#repository, this.#pool, { head: start }, page), at: 0 };
    const ids = this.#history.ids.slice(this.#history.at, this.#history.at + AHEAD + 2);
    this.#history.at += AHEAD;
    await Promise.all(ids.filter((id) => !this.#positions.has(id)).map((id) => this.#findPosition(id)));
  }

  async #readHistories(): Promise<void> {
    for (const open of [...this.#open.values()]) {
      if (open.names.length <= FEW) continue;
      this.#open.delete(open.position.commit.oid);
      await this.#followHistory(open);
    }
    const rest = [...this.#open.values()].flatMap(({ position, names }) => names.map((name) => ({ commit: position.commit.oid, name })));
    const ask = async () => {
      for (let one = rest.pop(); one; one = rest.pop()) {
        const path = this.#folder === '' ? one.name : `${this.#folder}/${one.name}`;
        this.#found.set(one.name, (await newestCommit(this.#repository, { head: one.commit, path })) ?? one.commit);
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL }, ask));
  }

  /** Follows entries through the commits that changed the folder; the few that are left then stay open. */
  async #followHistory({ position, names }: Open): Promise<void> {
    const waiting = new Map<string, readonly string[]>();
    let left = names.length;
    let seen = 0;
    for await (const commit of folderHistory(this.#repository, position.commit.oid, this.#folder)) {
      // The history begins with the nearest commit that changed the folder.
      if (seen === 0) waiting.set(commit.oid, names);
      if (left <= FEW || left * COMMITS_FOR_ONE <= ++seen) break;
      const here = waiting.get(commit.oid);
      if (!here) continue;
      waiting.delete(commit.oid);
      for (const [id, more] of await this.#pass(commit, here)) waiting.set(id, [...(waiting.get(id) ?? []), ...more]);
      left -= here.filter((name) => this.#found.has(name)).length;
    }
    for (const [id, rest] of waiting) if (rest.length > 0) this.#follow(await this.#needPosition(id), rest);
  }

  /** Finds the entries that a commit changed. Returns the others by the parent to continue with. */
  async #pass({ oid, parents, names: changed }: FolderCommit, here: readonly string[]): Promise<Map<string, readonly string[]>> {
    if (parents.length > 1) {
      await this.#step({ position: await this.#needPosition(oid), names: [...here] }, parents);
      return this.#takeOpen(parents);
    }
    const isRoot = parents.length === 0;
    for (const name of here) if (isRoot || changed.has(name)) this.#found.set(name, oid);
    return new Map([[parents[0] ?? '', here.filter((name) => !this.#found.has(name))]]);
  }

  #takeOpen(ids: readonly string[]): Map<string, readonly string[]> {
    const taken = new Map<string, readonly string[]>();
    for (const id of ids) {
      const open = this.#open.get(id);
      if (open) taken.set(id, open.names);
      this.#open.delete(id);
    }
    return taken;
  }

  async #needPosition(oid: string): Promise<Position> {
    const position = this.#positions.get(oid) ?? (await this.#findPosition(oid));
    if (!position) throw new Error(`commit ${oid} is in a history but cannot be read`);
    return position;
  }
}

function timeOf({ position }: Open): number {
  return position.commit.committer.seconds ?? 0;
}

function isSame(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a !== undefined && a.oid === b?.oid && a.mode === b.mode;
}
