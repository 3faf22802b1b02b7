import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { Context } from '../../../context.ts';
import type { ActionTask } from '../../../database/tables/actions.ts';
import { blocksOf, type LogIndex } from './store.ts';

const decompress = promisify(gunzip);

/** The whole log of a task, with its size in bytes; undefined if there is none, or none any more. */
export async function openLog(context: Context, task: ActionTask): Promise<{ size: number; stream: Readable } | undefined> {
  if (task.log_expired) return undefined;
  if (!task.log_in_storage) {
    // Without a line there is no log yet.
    return task.log_lines === 0 ? undefined : { size: task.log_size, stream: Readable.from(textsOf(context, task)) };
  }
  const stream = await storedText(context, task);
  return stream && { size: task.log_size, stream };
}

async function storedText({ storage }: Context, { log_key: key }: ActionTask): Promise<Readable | undefined> {
  const blob = await storage.get(key);
  if (!blob) return undefined;
  const stream = createGunzip();
  // What goes wrong reaches the reader of the stream.
  pipeline(blob.stream, stream).catch(() => {});
  return stream;
}

/** The content of the log at the time of opening. */
async function* textsOf(context: Context, task: ActionTask): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const block of blocksOf(context, task.id)) {
    if (block.first_line >= task.log_lines) return;
    const text = await decompress(block.content);
    read += text.length;
    yield text;
  }
  if (read < task.log_size) yield* textsSince(context, task, read);
}

/** The rest of a log that was moved to the storage while it was read. */
async function* textsSince(context: Context, { id, log_size: size }: ActionTask, read: number): AsyncGenerator<Buffer> {
  const task = await context.db.selectFrom('action_tasks').selectAll().where('id', '=', id).executeTakeFirst();
  const stream = task?.log_in_storage && !task.log_expired ? await storedText(context, task) : undefined;
  if (!stream) throw new Error(`the log of task ${id} is gone`);
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, read - at), Math.max(0, size - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at >= size) return;
  }
}

/**
 * Some lines of a log, without their line ends, from the line `first` on.
 * @param count lines that are read at most
 */
export async function readLines(context: Context, task: ActionTask, first: number, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const part of partsFrom(context, task, first)) {
    const texts = part.text.toString('utf8').split('\n').slice(0, -1);
    lines.push(...texts.slice(Math.max(0, first - part.line)).slice(0, count - lines.length));
    if (lines.length >= count) break;
  }
  return lines;
}

/** The parts of a log that have lines from `first` on. */
async function* partsFrom(context: Context, task: ActionTask, first: number): AsyncGenerator<{ line: number; text: Buffer }> {
  if (task.log_expired) return;
  if (!task.log_in_storage) {
    for await (const { first_line: line, lines, content } of blocksOf(context, task.id, first)) {
      if (line + lines > first) yield { line, text: await decompress(content) };
    }
    return;
  }
  const index = indexOf(task);
  for (const [at, [line, , start]] of index.entries()) {
    const next = index[at + 1];
    if (next && next[0] <= first) continue;
    const blob = await context.storage.get(task.log_key, { start, end: (next?.[2] ?? Number.MAX_SAFE_INTEGER) - 1 });
    if (blob) yield { line, text: await decompress(Buffer.concat(await blob.stream.toArray())) };
  }
}

function indexOf({ log_indexes }: ActionTask): LogIndex {
  return log_indexes ? (JSON.parse(Buffer.from(log_indexes).toString('utf8')) as LogIndex) : [];
}

/** The result of a search in a log. */
export interface FoundLines {
  /** Each with its number in the log. */
  readonly lines: readonly (readonly [line: number, text: string])[];
  /** The first line that was not searched; the end of the range if all of it was. */
  readonly until: number;
}

/** Time limit of one search in milliseconds, not counting its last part. */
const MAX_SEARCH_MS = 2000;

/** The first matching lines from `first` up to `end`. A long log is searched until the time limit. */
export async function searchLines(
  context: Context,
  task: ActionTask,
  { first, end, count, matches }: { first: number; end: number; count: number; matches: (line: string) => boolean },
): Promise<FoundLines> {
  const lines: [number, string][] = [];
  const start = performance.now();
  for await (const part of partsFrom(context, task, first)) {
    if (part.line >= end) break;
    if (performance.now() - start > MAX_SEARCH_MS) return { lines, until: Math.max(part.line, first) };
    for (const [at, text] of part.text.toString('utf8').split('\n').slice(0, -1).entries()) {
      const line = part.line + at;
      if (line < first || line >= end || !matches(text)) continue;
      lines.push([line, text]);
      if (lines.length >= count) return { lines, until: line + 1 };
    }
    await setImmediate();
  }
  return { lines, until: end };
}
