import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A recurring read that depends on its values alone, such as a repository by its name: SQLite's result is cached until the next commit. */
export interface CachedQuery {
  readonly isCached?: boolean;
}

/** Limit of the values in all results together: some megabytes at most, as values are short. */
const MAX_VALUES = 50_000;
/** Keys count too, since they can be long (a name that nobody has): this many characters count as one value. */
const VALUE_LENGTH = 32;

/**
 * The results of recurring reads. Before each read SQLite reports, within 2 µs, whether this or another process has committed anything;
 * if so, the whole cache is dropped.
 */
export class ResultCache {
  readonly #dataVersion: StatementSync;
  readonly #results = new Map<StatementSync, Map<string, unknown[][]>>();
  #version: unknown;
  #values = 0;

  /** @param database a handle that only reads: writes through it would not be noticed */
  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** The rows of a statement, as arrays that must not be changed. */
  rows(statement: StatementSync, values: readonly SQLInputValue[]): unknown[][] {
    const [version] = this.#dataVersion.get() as unknown as unknown[];
    if (version !== this.#version || this.#values > MAX_VALUES) this.#forget(version);
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
    this.#values += rows.length * (rows[0]?.length ?? 0) + Math.ceil(key.length / VALUE_LENGTH);
    return rows;
  }

  #forget(version: unknown): void {
    this.#results.clear();
    this.#values = 0;
    this.#version = version;
  }
}
