import type { BlobInfo, Storage } from './storage.ts';

/** Copies a blob of one storage into another, through this process; undefined if there is none. */
export async function copyBetween(source: Storage, from: string, target: Storage, to: string): Promise<BlobInfo | undefined> {
  const found = await source.get(from);
  return found && (await target.put(to, found.stream, { size: found.size }));
}
