import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../../database/database.ts';
import { lockFolder } from '../../database/folder-lock.ts';
import { lineOf, RowChecksum } from './checksum.ts';
import { type DatabaseLocation, openSource, openTarget, optionsOf } from './location.ts';
import { isWordTable, type Row, type TableShape } from './shape.ts';
import type { RowSource } from './source.ts';
import { requireSameTables } from './target.ts';
import { indexWords } from './words.ts';

/** How far a copy is. */
export interface CopyProgress {
  readonly table: string;
  readonly done: number;
  readonly total: number;
}

/** The rows of a table, as they were read. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  readonly checksum: string;
}

/** The database is in use, is not the same at the end, or has not the schema that is needed. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

/**
 * Copies a stopped instance's database into an empty one, of the same kind or the other one, and compares both afterwards.
 * @throws CopyRefusedError, TargetNotEmptyError, ValueError
 */
export async function copyDatabase(
  from: DatabaseLocation,
  to: DatabaseLocation,
  onProgress: (progress: CopyProgress) => void,
): Promise<readonly CopiedTable[]> {
  if (from.file !== undefined && !existsSync(from.file)) throw new CopyRefusedError(`there is no database ${from.file}`);
  const releases = await lockFolders([from, to]);
  try {
    const source = await openSource(from);
    try {
      const living = await source.livingProcesses();
      if (living.length > 0) throw new CopyRefusedError(`the source is in use: stop ${living.join(', ')} first`);
      const copied = await copyRows(source, to, onProgress);
      await requireUnchanged(source, from);
      await compareRows(to, copied, onProgress);
      await releaseProcesses(to);
      return copied;
    } finally {
      await source.close();
    }
  } finally {
    for (const release of releases) release();
  }
}

/** On SQLite no server may start meanwhile. */
async function lockFolders(locations: readonly DatabaseLocation[]): Promise<(() => void)[]> {
  const releases: (() => void)[] = [];
  try {
    for (const { file } of locations) if (file !== undefined) releases.push(await lockFolder(dirname(file)));
    return releases;
  } catch (error) {
    for (const release of releases) release();
    throw error;
  }
}

async function copyRows(source: RowSource, to: DatabaseLocation, onProgress: (progress: CopyProgress) => void): Promise<CopiedTable[]> {
  const database = await openDatabase(optionsOf(to));
  try {
    await requireSameMigrations(source, to);
    const target = await openTarget(to);
    const copied: CopiedTable[] = [];
    const count = await counter(source, onProgress);
    try {
      requireSameTables(source.tables, target.tables);
      for (const table of source.tables.filter(({ name }) => !isWordTable(name))) {
        copied.push(await each(source, table, count, (rows) => target.write(table, rows)));
      }
      await target.finish(source.sequences);
    } finally {
      await target.close();
    }
    for (const table of source.tables.filter(({ name }) => isWordTable(name))) {
      copied.push(await each(source, table, count, (rows) => indexWords(database, table, rows)));
    }
    return copied;
  } finally {
    await database.close();
  }
}

async function requireSameMigrations(source: RowSource, to: DatabaseLocation): Promise<void> {
  const target = await openSource(to);
  const isSame = target.migrations.join() === source.migrations.join();
  await target.close();
  if (!isSame) throw new CopyRefusedError('the source is of another version: start this version on it once, and stop it');
}

async function counter(source: RowSource, onProgress: (progress: CopyProgress) => void): Promise<(table: string, rows: number) => void> {
  let total = 0;
  for (const table of source.tables) total += await source.count(table);
  let done = 0;
  return (table, rows) => {
    done += rows;
    onProgress({ table, done, total });
  };
}

async function each(
  source: RowSource,
  table: TableShape,
  count: (table: string, rows: number) => void,
  use: (rows: readonly Row[]) => Promise<void>,
): Promise<CopiedTable> {
  const checksum = new RowChecksum();
  for await (const rows of source.rows(table)) {
    for (const row of rows) checksum.add(lineOf(row));
    await use(rows);
    count(table.name, rows.length);
  }
  return { name: table.name, rows: checksum.rows, checksum: checksum.digest };
}

/** Each process that opens a database is registered in it with a new id. */
async function requireUnchanged(source: RowSource, from: DatabaseLocation): Promise<void> {
  const after = await openSource(from);
  const isUnchanged = after.sequences.get('processes') === source.sequences.get('processes');
  await after.close();
  if (!isUnchanged) throw new CopyRefusedError('the source was in use meanwhile: empty the target, and copy again');
}

/**
 * Reads all rows again, and compares their numbers and checksums.
 * @throws CopyRefusedError
 */
export async function compareRows(
  location: DatabaseLocation,
  expected: readonly CopiedTable[],
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  const target = await openSource(location);
  const tables = new Map(target.tables.map((table) => [table.name, table]));
  let done = 0;
  const total = expected.reduce((sum, { rows }) => sum + rows, 0);
  try {
    for (const { name, rows, checksum } of expected) {
      const table = tables.get(name);
      if (!table) throw new CopyRefusedError(`${name} is not there in the target`);
      const found = await each(
        target,
        table,
        () => {},
        async () => {},
      );
      done += rows;
      onProgress({ table: `comparing ${name}`, done, total });
      if (found.rows !== rows || found.checksum !== checksum)
        throw new CopyRefusedError(
          `${name} is not the same in the target: ${found.rows} rows with the checksum ${found.checksum}, not ${rows} with ${checksum}`,
        );
    }
  } finally {
    await target.close();
  }
}

/** Releases in the copy what processes of the source held, as after a crash. */
export async function releaseProcesses(location: DatabaseLocation): Promise<void> {
  const { db, close } = await openDatabase(optionsOf(location));
  await db.deleteFrom('processes').execute().finally(close);
}
