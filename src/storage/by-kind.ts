import type { Readable } from 'node:stream';
import { copyBetween } from './copy-between.ts';
import type { BlobInfo, ExpectedBlob, LinkedResponse, ListedBlob, Storage } from './storage.ts';

/** Kinds of blobs, for settings that store each kind separately. */
export const BLOB_KINDS = ['attachments', 'avatars', 'archives', 'lfs', 'packages', 'artifacts', 'logs', 'indexes'] as const;
export type BlobKind = (typeof BLOB_KINDS)[number];

/** The prefixes of keys of each kind; every key begins with one of them. */
export const KIND_PREFIXES: Readonly<Record<BlobKind, readonly string[]>> = {
  attachments: ['attachments/'],
  avatars: ['avatars/', 'repo-avatars/'],
  archives: ['archives/'],
  lfs: ['lfs/'],
  packages: ['packages/', 'package-uploads/'],
  artifacts: ['action-artifacts/', 'action-artifact-parts/'],
  logs: ['action-logs/'],
  indexes: ['code-indexes/'],
};

const KIND_OF_PREFIX = new Map(BLOB_KINDS.flatMap((kind) => KIND_PREFIXES[kind].map((prefix) => [prefix, kind] as const)));

/** The kind of a blob with this key; undefined for other keys. */
export function kindOfKey(key: string): BlobKind | undefined {
  return KIND_OF_PREFIX.get(key.slice(0, key.indexOf('/') + 1));
}

/** Each kind of blobs in a storage of its own; several may have the same. */
export class StorageByKind implements Storage {
  readonly #storages: Readonly<Record<BlobKind, Storage>>;
  constructor(storages: Readonly<Record<BlobKind, Storage>>) {
    this.#storages = storages;
  }

  put(key: string, content: Readable | Uint8Array, expected?: ExpectedBlob): Promise<BlobInfo> {
    return this.#of(key).put(key, content, expected);
  }

  get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    return this.#of(key).get(key, range);
  }

  info(key: string): Promise<BlobInfo | undefined> {
    return this.#of(key).info(key);
  }

  copy(from: string, to: string): Promise<BlobInfo | undefined> {
    const [source, target] = [this.#of(from), this.#of(to)];
    return source === target ? source.copy(from, to) : copyBetween(source, from, target, to);
  }

  delete(key: string): Promise<void> {
    return this.#of(key).delete(key);
  }

  list(prefix: string): AsyncIterable<ListedBlob> {
    return this.#of(prefix).list(prefix);
  }

  link(key: string, response: LinkedResponse): Promise<string | undefined> {
    return this.#of(key).link(key, response);
  }

  async removeUnfinished(seconds: number): Promise<void> {
    for (const storage of new Set(Object.values(this.#storages))) await storage.removeUnfinished(seconds);
  }

  #of(key: string): Storage {
    const kind = kindOfKey(key);
    if (kind === undefined) throw new Error(`keys such as ${key} have no kind`);
    return this.#storages[kind];
  }
}
