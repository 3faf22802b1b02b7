/** Size limit of the log of one task in bytes. */
const MAX_LOG = 256 * 1024 * 1024;
/** Approximate size of one part of a log in bytes. */
const PART = 64 * 1024;
/** Size limit of a line in bytes. */
const MAX_LINE = 1024 * 1024;
const LINE_FEED = 10;

/** Complete lines of a log. */
export interface LogLines {
  readonly text: Buffer;
  readonly lines: number;
}

/** A log that exceeds the size limit. */
export class LogTooLongError extends Error {}

/**
 * The lines of a log in parts, each with its line end.
 * @throws LogTooLongError
 */
export async function* linesOf(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<LogLines> {
  let waiting: Buffer = Buffer.alloc(0);
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > MAX_LOG) throw new LogTooLongError(`it has more than ${MAX_LOG} bytes`);
    waiting = Buffer.concat([waiting, chunk]);
    if (waiting.length < PART) continue;
    const end = waiting.lastIndexOf(LINE_FEED) + 1;
    if (end === 0 && waiting.length > MAX_LINE) throw new LogTooLongError('it has a line that is too long');
    if (end > 0) yield partOf(waiting.subarray(0, end));
    waiting = waiting.subarray(end);
  }
  if (waiting.length === 0) return;
  yield partOf(waiting.at(-1) === LINE_FEED ? waiting : Buffer.concat([waiting, Buffer.from('\n')]));
}

function partOf(text: Buffer): LogLines {
  let lines = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) lines++;
  return { text, lines };
}
