import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createZstdDecompress, gzip } from 'node:zlib';
import { putLog } from '../../../../actions/tasks/logs/store.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';
import { LogTooLongError, linesOf } from './log-lines.ts';

const compress = promisify(gzip);

/** The stored columns of a log. */
export interface ImportedLog {
  readonly log_key: string;
  readonly log_in_storage: boolean;
  readonly log_lines: number;
  readonly log_size: number;
  readonly log_indexes: Uint8Array | null;
  readonly log_expired: boolean;
  /** Of an incomplete log. */
  readonly blocks: readonly { task_id: number; first_line: number; lines: number; size: number; content: Buffer }[];
}

const NO_LOG: ImportedLog = {
  log_key: '',
  log_in_storage: false,
  log_lines: 0,
  log_size: 0,
  log_indexes: null,
  log_expired: false,
  blocks: [],
};

/** Imports the log of a task: Gitea stores it in a folder, or in its database while lines may be added. */
export async function importLog(row: Row, batch: Batch): Promise<ImportedLog> {
  if (row.flag('log_expired')) return { ...NO_LOG, log_expired: true };
  const name = row.line('log_filename', 1000);
  if (name === '') return NO_LOG;
  try {
    return row.flag('log_in_storage') ? await storedLog(row, name, batch) : await unfinishedLog(row, name, batch);
  } catch (error) {
    if (!(error instanceof LogTooLongError) && !isCorrupt(error)) throw error;
    batch.note(`log of task ${row.id}`, `${(error as Error).message}: it is left out`);
    return { ...NO_LOG, log_expired: true };
  }
}

async function storedLog(row: Row, name: string, batch: Batch): Promise<ImportedLog> {
  const { settings, context, isDryRun } = batch.run;
  const file = await openInside(settings.storages.actionsLog, ...name.split('/'));
  if (!file) batch.note(`log of task ${row.id}`, 'its file is missing: it is left out');
  if (isDryRun) file?.stream.destroy();
  if (!file || isDryRun) return { ...NO_LOG, log_expired: true };
  let [lines, size] = [0, 0];
  const stream = name.endsWith('.zst') ? decompressed(file.stream) : file.stream;
  async function* counted() {
    for await (const part of linesOf(stream)) {
      lines += part.lines;
      size += part.text.length;
      yield part;
    }
  }
  const { key, index } = await putLog(context, row.id, counted());
  return { ...NO_LOG, log_key: key, log_in_storage: true, log_lines: lines, log_size: size, log_indexes: index };
}

function decompressed(stream: Readable): Readable {
  const plain = createZstdDecompress();
  stream.on('error', (error) => plain.destroy(error));
  return stream.pipe(plain);
}

/** Files in Gitea's database consist of blocks of bytes (models/dbfs). */
async function unfinishedLog(row: Row, name: string, batch: Batch): Promise<ImportedLog> {
  const path = `actions_log/${name}`;
  const [meta] = await batch.source.rowsWith('dbfs_meta', 'full_path', [`${path.split('/').length - 1}:${path}`]);
  if (!meta) return NO_LOG;
  const found = await batch.source.rowsWith('dbfs_data', 'meta_id', [meta.id]);
  const data = found.toSorted((a, b) => a.integer('blob_offset') - b.integer('blob_offset'));
  const content = Buffer.concat(data.map((block) => block.bytes('blob_data').subarray(0, block.integer('blob_size'))));
  const blocks: ImportedLog['blocks'][number][] = [];
  let [first, size] = [0, 0];
  for await (const part of linesOf([content.subarray(0, meta.integer('file_size'))])) {
    const block = { lines: part.lines, size: part.text.length, content: await compress(part.text) };
    blocks.push({ task_id: row.id, first_line: first, ...block });
    first += part.lines;
    size += part.text.length;
  }
  return { ...NO_LOG, log_lines: first, log_size: size, blocks };
}

function isCorrupt(error: unknown): boolean {
  return (
    String((error as NodeJS.ErrnoException).code).startsWith('ZSTD_') || String((error as NodeJS.ErrnoException).code).startsWith('Z_')
  );
}
