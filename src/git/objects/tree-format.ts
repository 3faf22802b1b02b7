import { type ObjectFormat, objectIdLength } from '../repository.ts';
import type { EntryMode } from './tree-entry.ts';

/** One line of a tree. `name` has one character for each byte (latin1), so that names in any encoding survive. */
export interface RawTreeEntry {
  mode: EntryMode;
  name: string;
  oid: string;
}

/** A tree object is truncated or has an unknown mode. */
export class MalformedTreeError extends Error {
  override readonly name = 'MalformedTreeError';
}

/** Parses the content of a tree object. */
export function parseRawTree(content: Uint8Array, format: ObjectFormat): RawTreeEntry[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const idBytes = objectIdLength(format) / 2;
  const entries: RawTreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    const end = nul + 1 + idBytes;
    if (space < 0 || nul < 0 || end > bytes.length) throw new MalformedTreeError('tree object is cut short');
    const digits = bytes.toString('latin1', at, space);
    const mode = treeMode(digits);
    if (!mode) throw new MalformedTreeError(`unknown mode in a tree: ${digits}`);
    entries.push({ mode, name: bytes.toString('latin1', space + 1, nul), oid: bytes.toString('hex', nul + 1, end) });
    at = end;
  }
  return entries;
}

/** Writes the content of a tree object; the entries may come in any order. */
export function formatRawTree(entries: Iterable<RawTreeEntry>): Buffer {
  const sorted = [...entries].sort(byTreeOrder);
  const length = sorted.reduce((sum, { mode, name, oid }) => sum + mode.length + name.length + oid.length / 2 + 2, 0);
  // Buffers of their own for the parts would take three times as long, which counts for folders with tens of thousands of files.
  const content = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { mode, name, oid } of sorted) {
    at += content.write(`${mode === '040000' ? '40000' : mode} ${name}\0`, at, 'latin1');
    at += content.write(oid, at, 'hex');
  }
  return content.subarray(0, at);
}

/** git's order: by bytes, folders as if their name ended with a slash. */
function byTreeOrder(a: RawTreeEntry, b: RawTreeEntry): number {
  const left = sortName(a);
  const right = sortName(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function sortName({ mode, name }: RawTreeEntry): string {
  return mode === '040000' ? `${name}/` : name;
}

/** Normalizes a mode: old programs wrote group-writable files and zero-padded folders. Undefined for an unknown one. */
export function treeMode(text: string): EntryMode | undefined {
  const mode = Number.parseInt(text, 8);
  switch (mode & 0o170000) {
    case 0o040000:
      return '040000';
    case 0o120000:
      return '120000';
    case 0o160000:
      return '160000';
    case 0o100000:
      return mode & 0o100 ? '100755' : '100644';
    default:
      return undefined;
  }
}
