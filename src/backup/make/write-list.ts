import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { FileIndex } from '../file-index.ts';
import { Hashing } from '../hashing.ts';

/** Writes the list of all files to a scratch file; returns its digest. */
export async function writeFileList(index: FileIndex, scratch: string): Promise<string> {
  const hashing = new Hashing();
  const lines = function* () {
    for (const file of index.files()) yield `${JSON.stringify(file)}\n`;
  };
  await pipeline(Readable.from(lines()), createZstdCompress(), hashing, createWriteStream(scratch, { mode: 0o600, flush: true }));
  return hashing.digest();
}
