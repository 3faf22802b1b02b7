import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A read that recurs and depends on its values alone, such as that of a repository by its name: SQLite's result is kept until a commit. */
export interface CachedQuery {
  readonly isCached?: boolean;
}

/** The values that all results may have together: some megabytes at most, as they are short. */
const MAX_VALUES = 50_000;
/** What is asked for can be long, such as a name that nobody has: so many characters count as one value. */
const VALUE_LENGTH = 32;

/**
 * The results of reads that recur. Before each of them SQLite says whether anything was committed since, here or by another process, which
 * takes 2 µs: then all are forgotten.
 */
export class ResultCache {
  readonly #dataVersion: StatementSync;
  readonly #results = new Map<StatementSync, Map<string, unknown[][]>>();
  #version: unknown;
  #values = 0;

  /** @param database a handle that only reads: what is written through it itself goes unnoticed */
  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** What a statement returns, as arrays that must not be changed. */
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
