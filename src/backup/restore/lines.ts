import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupError, type BackupFile } from '../layout.ts';

/** Characters of one line: a row with the longest text that there can be. */
const MAX_LINE = 2 ** 28;

/**
 * The lines of a file that is compressed by zstd.
 * @throws BackupError for a line that is too long, and errors of the source
 */
export async function* readLines(source: Readable): AsyncGenerator<string> {
  const plain = createZstdDecompress();
  let failure: unknown;
  const piped = pipeline(source, plain).catch((error: unknown) => {
    failure = error;
  });
  plain.setEncoding('utf8');
  // A long line is joined once, not again with each chunk.
  let parts: string[] = [];
  let length = 0;
  try {
    for await (const chunk of plain as AsyncIterable<string>) {
      const [first = '', ...lines] = chunk.split('\n');
      parts.push(first);
      length += first.length;
      if (length > MAX_LINE) throw new BackupError('a line of the backup is too long');
      const rest = lines.pop();
      if (rest === undefined) continue;
      yield parts.join('');
      yield* lines;
      parts = [rest];
      length = rest.length;
    }
  } catch (error) {
    throw failure ?? error;
  } finally {
    plain.destroy();
    await piped;
  }
  if (failure !== undefined) throw failure;
  if (length > 0) throw new BackupError('a file of the backup ends within a line');
}

/**
 * Reads a line of the list of files.
 * @throws BackupError
 */
export function parseFile(line: string): BackupFile {
  let file: Partial<BackupFile> | null;
  try {
    file = JSON.parse(line) as Partial<BackupFile> | null;
  } catch {
    file = null;
  }
  const { path, size = -1, modified, sha256, link = '' } = file ?? {};
  const isFile =
    typeof path === 'string' &&
    Number.isSafeInteger(size) &&
    size >= 0 &&
    typeof modified === 'number' &&
    /^[0-9a-f]{64}$/.test(sha256 ?? '') &&
    typeof link === 'string';
  if (!isFile) throw new BackupError('the list of files of the backup is damaged');
  return file as BackupFile;
}
