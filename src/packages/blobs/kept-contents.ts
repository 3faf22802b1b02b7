import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { Storage } from '../../storage/storage.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import { PackageError } from '../errors.ts';
import { openBlob, readStream } from './store.ts';

/** Bytes of a content that is kept at most. */
const MAX_CONTENT = 256 * 1024;
/** Bytes of a generation, of which there are two. */
const MAX_GENERATION = 4 * 1024 * 1024;

/** Contents that were read lately: those in use move to the young generation; when it is full, the old one is forgotten. */
interface Kept {
  young: Map<string, Buffer>;
  old: Map<string, Buffer>;
  bytes: number;
}

const keptOf = new WeakMap<Storage, Kept>();

/**
 * All bytes of a content, which are kept then; undefined for one that is too large for that. Opening its file takes longer than all else
 * about it. Bytes are stored under a random key and never changed there; who may read them has been decided before.
 * @throws PackageError 404 if they are lost
 */
export async function readKept(
  { storage }: Pick<Context, 'storage'>,
  content: Pick<PackageBlobRow, 'blob' | 'size'>,
): Promise<Buffer | undefined> {
  if (content.size > MAX_CONTENT) return undefined;
  const kept = keptOf.get(storage) ?? { young: new Map(), old: new Map(), bytes: 0 };
  keptOf.set(storage, kept);
  const young = kept.young.get(content.blob);
  if (young) return young;
  const bytes = kept.old.get(content.blob) ?? ownBytes(await readStream(await openBlob({ storage }, content)));
  if (bytes.length !== content.size) throw new PackageError('no-file');
  keep(kept, content.blob, bytes);
  return bytes;
}

function keep(kept: Kept, key: string, bytes: Buffer): void {
  if (kept.young.has(key)) return;
  if (kept.bytes + bytes.length > MAX_GENERATION) {
    kept.old = kept.young;
    kept.young = new Map();
    kept.bytes = 0;
  }
  kept.young.set(key, bytes);
  kept.bytes += bytes.length;
}
