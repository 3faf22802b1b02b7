import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { FileIndex } from '../file-index.ts';
import { tablePath } from '../layout.ts';
import type { BackupTable } from '../manifest.ts';
import { lineOf, RowChecksum } from '../rows/checksum.ts';
import type { TableShape, Value } from '../rows/shape.ts';
import type { RowSource } from '../rows/source.ts';
import { noteRow } from './note-row.ts';
import type { BackupSink } from './sink.ts';

/** Writes all tables of one snapshot, and records the repositories and blobs that they refer to. */
export async function dumpTables(
  source: RowSource,
  sink: BackupSink,
  index: FileIndex,
  onProgress: (table: string, rows: number) => void,
): Promise<BackupTable[]> {
  const tables: BackupTable[] = [];
  for (const table of source.tables) {
    const scratch = join(sink.scratch, `table-${table.name}`);
    const checksum = new RowChecksum();
    const lines = linesOf(source, table, index, checksum, (rows) => onProgress(table.name, rows));
    await pipeline(Readable.from(lines), createZstdCompress(), createWriteStream(scratch, { mode: 0o600 }));
    await sink.move(tablePath(table.name), scratch);
    tables.push({ ...table, rows: checksum.rows, checksum: checksum.digest });
  }
  return tables;
}

async function* linesOf(
  source: RowSource,
  { name, columns }: TableShape,
  table: FileIndex,
  checksum: RowChecksum,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const tables = { name, columns };
  for await (const rows of source.rows(tables)) {
    const lines = rows.map((row) => {
      noteRow(table, name, (column) => (row[columns.findIndex((each) => each.name === column)] ?? null) as Value);
      const line = lineOf(row);
      checksum.add(line);
      return line;
    });
    yield `${lines.join('\n')}\n`;
    onRows(rows.length);
  }
}
