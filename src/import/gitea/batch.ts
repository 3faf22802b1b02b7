import type { Insertable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { GiteaSettings } from './config/app-ini.ts';
import type { Row } from './source/row.ts';
import type { Source } from './source/source.ts';

/** What an import reads from and writes to. */
export interface ImportRun {
  /** Of the target. */
  readonly context: Context;
  readonly source: Source;
  readonly settings: GiteaSettings;
  /** A dry run: files are checked but not copied, and the target database is temporary. */
  readonly isDryRun: boolean;
}

/** Something that could not be imported unchanged. */
export interface Finding {
  readonly subject: string;
  readonly reason: string;
}

type Insert = <T extends keyof Tables>(table: T, row: Insertable<Tables[T]>) => void;

/** Values per statement; SQLite allows 32,766 and PostgreSQL 65,535. */
const MAX_VALUES = 20_000;
const MAX_IDS = 5000;

/** Tables whose rows are referenced by others. */
type WithId =
  | 'users'
  | 'badges'
  | 'repositories'
  | 'teams'
  | 'oauth2_applications'
  | 'ssh_keys'
  | 'issues'
  | 'milestones'
  | 'labels'
  | 'comments'
  | 'reviews'
  | 'releases'
  | 'projects'
  | 'project_columns'
  | 'tracked_times'
  | 'topics'
  | 'action_runs'
  | 'action_jobs'
  | 'action_tasks'
  | 'action_schedules';

/** The changes that some rows of the source lead to; written in one transaction, together with the progress of the step. */
export class Batch {
  readonly run: ImportRun;
  readonly findings: Finding[] = [];
  readonly #inserts = new Map<keyof Tables, object[]>();
  readonly #changes: ((db: Db) => Promise<unknown>)[] = [];

  constructor(run: ImportRun) {
    this.run = run;
  }

  get source(): Source {
    return this.run.source;
  }

  get context(): Context {
    return this.run.context;
  }

  /** Adds a row to the target; tables are written in the order of their first row. All rows of a table have the same columns. */
  readonly add: Insert = (table, row) => {
    const rows = this.#inserts.get(table) ?? [];
    rows.push(row);
    this.#inserts.set(table, rows);
  };

  /** Adds a change to run after the rows have been added. */
  change(change: (db: Db) => Promise<unknown>): void {
    this.#changes.push(change);
  }

  /** Records what could not be imported unchanged. */
  note(subject: string, reason: string): void {
    this.findings.push({ subject: subject.slice(0, 300), reason: reason.slice(0, 500) });
  }

  /** Records that texts of a row were cut off. */
  noteCuts(subject: string, row: Row): void {
    for (const column of row.cutColumns) this.note(subject, `${column} was too long: its end was cut off`);
  }

  /** The ids among these that exist in a table of the target. */
  async existing(table: WithId, ids: readonly (number | null)[]): Promise<ReadonlySet<number>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null && id > 0);
    const found = new Set<number>();
    for (let at = 0; at < wanted.length; at += MAX_IDS) {
      const rows = await this.context.db
        .selectFrom(table as 'users')
        .select('id')
        .where('id', 'in', wanted.slice(at, at + MAX_IDS) as number[])
        .execute();
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  /** The ids in some columns that exist in the target. */
  existingOf(table: WithId, rows: readonly Row[], ...columns: readonly string[]): Promise<ReadonlySet<number>> {
    return this.existing(
      table,
      rows.flatMap((row) => columns.map((column) => row.integer(column))),
    );
  }

  /** Writes everything in a transaction. Rows whose id or unique name exists in the target are recorded and left out. */
  async write(db: Db): Promise<void> {
    for (const [table, rows] of this.#inserts) {
      const left = rows.length - (await insertAll(db, table, rows));
      if (left > 0) this.note(table, `${left} of ${rows.length} rows were left out: others of the same id or name are there`);
    }
    for (const change of this.#changes) await change(db);
  }
}

/** Returns how many rows were inserted. */
async function insertAll(db: Db, table: keyof Tables, rows: readonly object[]): Promise<number> {
  const size = Math.max(1, Math.floor(MAX_VALUES / Object.keys(rows[0] ?? {}).length));
  let inserted = 0;
  for (let at = 0; at < rows.length; at += size) {
    const result = await db
      .insertInto(table as 'follows')
      .values(rows.slice(at, at + size) as never)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    inserted += Number(result.numInsertedOrUpdatedRows ?? 0);
  }
  return inserted;
}
