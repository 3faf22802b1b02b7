import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Context, inTransaction } from '../../../context.ts';

/** Size of the compressed parts of a log in bytes: to read some lines, one or two of them are read. */
const PART = 256 * 1024;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** The beginning of each part of a log: its first line, and its first byte before and after compression. */
export type LogIndex = readonly (readonly [line: number, offset: number, compressed: number])[];

/** Whole lines of a log, each with its line end. */
export interface LogText {
  readonly text: Buffer;
  readonly lines: number;
}

/** The storage key of the log of a task. */
export function logKey(taskId: number): string {
  return `action-logs/${(taskId % 256).toString(16).padStart(2, '0')}/${taskId}.log.gz`;
}

/** Moves the log of a task to the storage, as concatenated gzip members (RFC 1952). May be repeated. */
export async function storeLog(context: Context, taskId: number): Promise<void> {
  const { key, index } = await putLog(context, taskId, textsOf(context, taskId));
  await inTransaction(context, async ({ db }) => {
    const stored = await db
      .updateTable('action_tasks')
      .set({ log_in_storage: true, log_key: key, log_indexes: index })
      .where('id', '=', taskId)
      .returning('id')
      .executeTakeFirst();
    if (stored) await db.deleteFrom('action_log_blocks').where('task_id', '=', taskId).execute();
  });
}

/** Stores the lines of a log in the form for reading; returns the key, and the index of its parts. */
export async function putLog(
  { storage }: Pick<Context, 'storage'>,
  taskId: number,
  texts: AsyncIterable<LogText>,
): Promise<{ key: string; index: Buffer }> {
  const index: [number, number, number][] = [];
  const key = logKey(taskId);
  await storage.put(key, Readable.from(partsOf(texts, index)));
  return { key, index: Buffer.from(JSON.stringify(index)) };
}

async function* textsOf(context: Context, taskId: number): AsyncGenerator<LogText> {
  for await (const { content, lines } of blocksOf(context, taskId)) yield { text: await decompress(content), lines };
}

async function* partsOf(texts: AsyncIterable<LogText>, index: [number, number, number][]): AsyncGenerator<Buffer> {
  let [line, offset, compressed] = [0, 0, 0];
  let waiting: Buffer[] = [];
  let [size, lines] = [0, 0];
  const flush = async () => {
    const part = await compress(Buffer.concat(waiting));
    index.push([line, offset, compressed]);
    [line, offset, compressed] = [line + lines, offset + size, compressed + part.length];
    [waiting, size, lines] = [[], 0, 0];
    return part;
  };
  for await (const given of texts) {
    waiting.push(given.text);
    size += given.text.length;
    lines += given.lines;
    if (size >= PART) yield await flush();
  }
  if (size > 0 || index.length === 0) yield await flush();
}

/**
 * The blocks of a log that is not in the storage, in order.
 * @param from the line with whose block they begin
 */
export async function* blocksOf({ db }: Pick<Context, 'db'>, taskId: number, from = 0) {
  const start =
    from === 0
      ? undefined
      : await db
          .selectFrom('action_log_blocks')
          .select((select) => select.fn.max('first_line').as('line'))
          .where('task_id', '=', taskId)
          .where('first_line', '<=', from)
          .executeTakeFirst();
  for (let first = start?.line ?? 0; ; ) {
    const block = await db
      .selectFrom('action_log_blocks')
      .selectAll()
      .where('task_id', '=', taskId)
      .where('first_line', '>=', first)
      .orderBy('first_line')
      .limit(1)
      .executeTakeFirst();
    if (!block) return;
    yield block;
    first = block.first_line + 1;
  }
}
