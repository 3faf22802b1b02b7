import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { EvictableCache } from '../caches/budget.ts';

/** A recurring read that depends on its values alone, such as a repository by its name: SQLite's result is cached until the next commit. */
export interface CachedQuery {
  readonly isCached?: boolean;
}

/** Limit of all results together. */
const MAX_BYTES = 2_000_000;
/** What a value takes about, as values are short. Keys count by their length: they can be long, such as a name that nobody has. */
const VALUE_BYTES = 40;

/**
 * The results of recurring reads. Before each read SQLite reports, within 2 µs, whether this or another process has committed anything;
 * if so, the whole cache is dropped.
 */
export class ResultCache implements EvictableCache {
  readonly #dataVersion: StatementSync;
  readonly #results = new Map<StatementSync, Map<string, unknown[][]>>();
  #version: unknown;
  #bytes = 0;

  /** @param database a handle that only reads: writes through it would not be noticed */
  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  get bytes(): number {
    return this.#bytes;
  }

  evict(): void {
    this.#forget(this.#version);
  }

  /** The rows of a statement, as arrays that must not be changed. */
  rows(statement: StatementSync, values: readonly SQLInputValue[]): unknown[][] {
    const [version] = this.#dataVersion.get() as unknown as unknown[];
    if (version !== this.#version || this.#bytes > MAX_BYTES) this.#forget(version);
    let results = this.#results.get(statement);
    if (!results) {
      results = new Map();
      this.#results.set(statement, results);
    }
    const key = JSON.stringify(values);
    const known = results.get(key);
    if (known) return known;
    const rows = statement.all(...values) as unknown as unknown[][];
    results.set(key, rows);
    const count = rows.length * (rows[0]?.length ?? 0);
    this.#bytes += (1 + count) * VALUE_BYTES + key.length;
    return rows;
  }

  #forget(version: unknown): void {
    this.#results.clear();
    this.#bytes = 0;
    this.#version = version;
  }
}
