import type { Readable } from 'node:stream';
import type { Metrics } from '../metrics/metrics.ts';
import { traced } from '../tracing/operations.ts';
import { type BlobKind, kindOfKey } from './by-kind.ts';
import type { BlobInfo, ExpectedBlob, LinkedResponse, ListedBlob, Storage } from './storage.ts';
import { StorageUnavailableError } from './storage.ts';

type Operation = 'put' | 'get' | 'info' | 'copy' | 'delete' | 'link';

/** A storage whose operations are counted. */
export class MeasuredStorage implements Storage {
  readonly #storage: Storage;
  readonly #metrics: Metrics;
  readonly #backend: string;

  /** @param backend the name of its type */
  constructor(storage: Storage, metrics: Metrics, backend: string) {
    this.#storage = storage;
    this.#metrics = metrics;
    this.#backend = backend;
  }

  async put(key: string, content: Readable | Uint8Array, expected?: ExpectedBlob): Promise<BlobInfo> {
    const info = await this.#measure('put', key, () => this.#storage.put(key, content, expected));
    this.#countBytes('stored', key, info.size);
    return info;
  }

  async get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    const blob = await this.#measure('get', key, () => this.#storage.get(key, range));
    if (blob) this.#countBytes('read', key, range ? range.end - range.start + 1 : blob.size);
    return blob;
  }

  info(key: string): Promise<BlobInfo | undefined> {
    return this.#measure('info', key, () => this.#storage.info(key));
  }

  copy(from: string, to: string): Promise<BlobInfo | undefined> {
    return this.#measure('copy', to, () => this.#storage.copy(from, to));
  }

  delete(key: string): Promise<void> {
    return this.#measure('delete', key, () => this.#storage.delete(key));
  }

  list(prefix: string): AsyncIterable<ListedBlob> {
    return this.#storage.list(prefix);
  }

  link(key: string, response: LinkedResponse): Promise<string | undefined> {
    return this.#measure('link', key, () => this.#storage.link(key, response));
  }

  removeUnfinished(seconds: number): Promise<void> {
    return this.#storage.removeUnfinished(seconds);
  }

  async #measure<T>(operation: Operation, key: string, run: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let result = 'done';
    try {
      return await traced(`storage ${operation}`, { 'copse.storage.backend': this.#backend, 'copse.storage.kind': this.#kind(key) }, run);
    } catch (error) {
      // A mismatch with the expected content is the client's fault.
      result = error instanceof StorageUnavailableError ? 'unavailable' : 'refused';
      throw error;
    } finally {
      const labels = `operation="${operation}",backend="${this.#backend}"`;
      this.#metrics.histogram('copse_storage_operation_duration_seconds', labels).observe((performance.now() - began) / 1000);
      this.#metrics.count('copse_storage_operations_total', `${labels},kind="${this.#kind(key)}",result="${result}"`);
    }
  }

  #countBytes(direction: 'stored' | 'read', key: string, bytes: number): void {
    const labels = `direction="${direction}",kind="${this.#kind(key)}",backend="${this.#backend}"`;
    this.#metrics.count('copse_storage_bytes_total', labels, bytes);
  }

  #kind(key: string): BlobKind | 'other' {
    return kindOfKey(key) ?? 'other';
  }
}
