import type { Metrics } from '../metrics/metrics.ts';
import type { Settings } from '../settings.ts';
import { BLOB_KINDS, type BlobKind, StorageByKind } from './by-kind.ts';
import { DiskStorage } from './disk.ts';
import { MeasuredStorage } from './measured.ts';
import type { Storage } from './storage.ts';
import { StorageWithPrevious } from './with-previous.ts';

/** The names of storages that settings choose from. */
export type StorageType = Settings['storage']['type'];

/** Opens the storage of one type, whether or not the settings use it. */
export async function openStorageOfType({ storage, s3 }: Settings, type: StorageType): Promise<Storage> {
  if (type === 'disk') return new DiskStorage(storage.path);
  // The library is only loaded if it is used.
  const { S3Storage } = await import('./s3/s3-storage.ts');
  const { accessKeyId, secretAccessKey, bucket, prefix, ...rest } = s3;
  return new S3Storage({
    ...rest,
    bucket: bucket ?? '',
    prefix: prefix === null ? '' : `${prefix}/`,
    credentials: accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : undefined,
  });
}

/** Opens the configured storages: each kind of blobs in its own, and with it the former storage. */
export async function openStorage(settings: Settings, metrics?: Metrics): Promise<Storage> {
  const { type, previous } = settings.storage;
  const opened = new Map<StorageType, Promise<Storage>>();
  const open = (each: StorageType) => {
    const storage =
      opened.get(each) ?? openStorageOfType(settings, each).then((plain) => (metrics ? new MeasuredStorage(plain, metrics, each) : plain));
    opened.set(each, storage);
    return storage;
  };
  const withPrevious = new Map<StorageType, Storage>();
  const storageOf = async (kind: BlobKind) => {
    const current = settings.storage[kind] ?? type;
    if (previous === null || previous === current) return await open(current);
    const storage = withPrevious.get(current) ?? new StorageWithPrevious(await open(current), await open(previous));
    withPrevious.set(current, storage);
    return storage;
  };
  const storages: Partial<Record<BlobKind, Storage>> = {};
  for (const kind of BLOB_KINDS) storages[kind] = await storageOf(kind);
  return new StorageByKind(storages as Record<BlobKind, Storage>);
}

/** The types of storages that the settings use. */
export function usedStorageTypes({ storage }: Settings): Set<StorageType> {
  const used = new Set(BLOB_KINDS.map((kind) => storage[kind] ?? storage.type));
  if (storage.previous !== null) used.add(storage.previous);
  return used;
}

/** Settings that keep everything in one folder, whatever else the instance uses. */
export function diskStorage(path: string): Settings['storage'] {
  const kinds = Object.fromEntries(BLOB_KINDS.map((kind) => [kind, null])) as Record<BlobKind, null>;
  return { type: 'disk', path, previous: null, ...kinds };
}
