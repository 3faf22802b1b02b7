import { inflateRawSync } from 'node:zlib';
import { FileTable } from '../index/format.ts';

/** The two parts of an index, in shared memory. */
export interface IndexMemory {
  readonly table: SharedArrayBuffer;
  readonly texts: SharedArrayBuffer;
}

/** Reads texts out of an index. */
export function textReader({ table, texts }: IndexMemory): { readonly files: FileTable; read(file: number): string } {
  const files = new FileTable(table);
  const bytes = Buffer.from(texts);
  const read = (file: number) => {
    const { start, length } = files.text(file);
    return inflateRawSync(bytes.subarray(start, start + length), { maxOutputLength: Math.max(1, files.size(file)) }).toString('utf8');
  };
  return { files, read };
}
