import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDatabase } from '../../database/database.ts';
import { migrationsOf } from '../../database/migrate.ts';
import { DEFAULT_VOLUME } from '../../git/volumes.ts';
import type { FileIndex } from '../file-index.ts';
import { BackupError } from '../layout.ts';
import { noteRow } from '../make/note-row.ts';
import type { BackupTable, Manifest } from '../manifest.ts';
import { lineOf, RowChecksum } from '../rows/checksum.ts';
import { type CopiedTable, compareRows, releaseProcesses } from '../rows/copy.ts';
import { type DatabaseLocation, openTarget, optionsOf } from '../rows/location.ts';
import { isCopied, isWordTable, type Row, type Value } from '../rows/shape.ts';
import { type RowTarget, requireSameTables } from '../rows/target.ts';
import { indexWords } from '../rows/words.ts';
import type { Room } from './room.ts';

/** Rows that are written at a time; long ones fewer. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2 ** 20;

/** The source and the target of a restoration. */
interface RestorerOptions {
  readonly location: DatabaseLocation;
  readonly manifest: Manifest;
  /** Gets the repositories, for their files. */
  readonly index: FileIndex;
  readonly room: Room;
  /** The names of the volumes of repositories that there are. */
  readonly volumes: ReadonlySet<string>;
  /** Deletes what an interrupted attempt has written. */
  readonly isReplaced: boolean;
  readonly onRows: (table: string, rows: number) => void;
}

/** Fills an empty database with the tables of a backup, at the version of the backup, and then brings it up to date. */
export class DatabaseRestorer {
  readonly #options: RestorerOptions;
  readonly #target: RowTarget;
  readonly #written: CopiedTable[] = [];
  #isFinished = false;

  private constructor(options: RestorerOptions, target: RowTarget) {
    this.#options = options;
    this.#target = target;
  }

  /** @throws TargetNotEmptyError */
  static async open(options: RestorerOptions): Promise<DatabaseRestorer> {
    const { location, manifest, isReplaced } = options;
    // An interrupted attempt may have brought the schema up to date already; a file is made again.
    const isKept = isReplaced && location.file === undefined;
    if (isReplaced && location.file !== undefined) await removeDatabase(location.file);
    const { close } = await openDatabase({
      ...optionsOf(location),
      ...(!isKept && { migrations: migrationsOf(manifest.migrations) }),
    });
    await close();
    const target = await openTarget(location, isReplaced);
    try {
      requireSameTables(
        manifest.tables.filter(({ name }) => isCopied(name)),
        target.tables.filter(({ name }) => isCopied(name)),
      );
      return new DatabaseRestorer(options, target);
    } catch (error) {
      await target.close();
      throw error;
    }
  }

  /**
   * Writes the rows of a table.
   * @throws BackupError for lines that are not rows of it
   */
  async restore(name: string, lines: AsyncIterable<string>): Promise<void> {
    const table = this.#options.manifest.tables.find((each) => each.name === name);
    if (!table) throw new BackupError(`the backup has a table that it does not name: ${name}`);
    if (isWordTable(name)) await this.finish();
    const words = isWordTable(name) ? await openDatabase(optionsOf(this.#options.location)) : undefined;
    // Backups of older versions have rows of tables that are not copied any more.
    const write = async (rows: readonly Row[]) => {
      if (words) await indexWords(words, table, rows);
      else if (isCopied(name)) await this.#target.write(table, rows);
    };
    const [checksum, written] = [new RowChecksum(), new RowChecksum()];
    let batch: Row[] = [];
    let size = 0;
    const { file } = this.#options.location;
    const flush = async () => {
      if (file !== undefined) await this.#options.room.take(dirname(file), size);
      await write(batch);
      this.#options.onRows(name, batch.length);
      batch = [];
      size = 0;
    };
    try {
      for await (const line of lines) {
        // A few bytes can be any number of lines when they are decompressed.
        if (checksum.rows === table.rows) throw new BackupError(`the rows of ${name} are damaged in the backup`);
        const row = this.#placed(parseRow(line, table), table);
        checksum.add(line);
        written.add(lineOf(row));
        noteRow(this.#options.index, name, (column) => row[table.columns.findIndex((each) => each.name === column)] ?? null);
        size += line.length;
        if (batch.push(row) === BATCH_ROWS || size > BATCH_CHARACTERS) await flush();
      }
      if (batch.length > 0) await flush();
    } finally {
      await words?.close();
    }
    if (isCopied(name)) this.#written.push({ name, rows: written.rows, checksum: written.digest });
    if (checksum.rows !== table.rows || checksum.digest !== table.checksum)
      throw new BackupError(`the rows of ${name} are damaged in the backup`);
  }

  /** A repository on a missing volume is put on the default one. */
  #placed(row: Row, { name, columns }: BackupTable): Row {
    const at = name === 'repositories' ? columns.findIndex((column) => column.name === 'volume') : -1;
    return at < 0 || this.#options.volumes.has(String(row[at])) ? row : row.with(at, DEFAULT_VOLUME);
  }

  /** Commits the rows, reads them again to compare them, and brings the schema up to date. */
  async finish(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    await this.#target.finish(new Map(Object.entries(this.#options.manifest.sequences)));
    await compareRows(this.#options.location, this.#written, ({ table }) => this.#options.onRows(table, 0));
    await releaseProcesses(this.#options.location);
    await forgetRemade(this.#options.location);
  }

  async close(): Promise<void> {
    await this.#target.close();
  }
}

/** No backup has the bytes of search indexes and archives. Without their rows the first start makes the indexes again. */
async function forgetRemade(location: DatabaseLocation): Promise<void> {
  const { db, close } = await openDatabase(optionsOf(location));
  try {
    for (const table of ['code_indexes', 'archives'] as const) await db.deleteFrom(table).execute();
  } finally {
    await close();
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await rm(path, { force: true });
}

/** @throws BackupError */
function parseRow(line: string, { name, columns }: BackupTable): Row {
  const damaged = () => new BackupError(`the rows of ${name} are damaged in the backup`);
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw damaged();
  }
  if (!Array.isArray(row) || row.length !== columns.length) throw damaged();
  for (const [at, { type }] of columns.entries()) if (!isOfType(row[at], type)) throw damaged();
  return row as Value[];
}

function isOfType(value: unknown, type: BackupTable['columns'][number]['type']): boolean {
  if (value === null) return true;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer') return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,19}$/.test(value));
  return typeof value === 'string';
}
