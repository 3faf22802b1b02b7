import type { Storage } from '../../storage/storage.ts';
import type { FileIndex } from '../file-index.ts';
import { blobPath } from '../layout.ts';
import type { BackupSink } from './sink.ts';

/** Blobs that are copied at a time. */
const PARALLEL = 6;

/**
 * Copies every blob that the rows refer to. A key never gets other bytes, so blobs of the same size in the previous backup are not read.
 * Returns the keys of blobs that are lost.
 */
export async function copyBlobs(storage: Storage, sink: BackupSink, index: FileIndex, onBlob: () => void): Promise<string[]> {
  const keys = index.blobs();
  const lost: string[] = [];
  const worker = async () => {
    for (const key of keys) {
      if (!(await copyBlob(storage, sink, key))) lost.push(key);
      onBlob();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return lost;
}

async function copyBlob(storage: Storage, sink: BackupSink, key: string): Promise<boolean> {
  const info = await storage.info(key);
  if (!info) return false;
  const open = async () => {
    const blob = await storage.get(key);
    if (!blob) throw new Error(`${key} was removed from the storage`);
    return blob.stream;
  };
  await sink.add({ path: blobPath(key), size: info.size, modified: 0, isImmutable: true, open });
  return true;
}
