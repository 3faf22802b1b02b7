import type { Readable } from 'node:stream';
import { copyBetween } from './copy-between.ts';
import type { BlobInfo, ExpectedBlob, LinkedResponse, ListedBlob, Storage } from './storage.ts';

/**
 * A storage that takes the place of another one while the server runs: what is stored is stored in the new one, and what is not there yet
 * is read from the previous one.
 */
export class StorageWithPrevious implements Storage {
  readonly #current: Storage;
  readonly #previous: Storage;
  constructor(current: Storage, previous: Storage) {
    this.#current = current;
    this.#previous = previous;
  }

  async put(key: string, content: Readable | Uint8Array, expected: ExpectedBlob = {}): Promise<BlobInfo> {
    return await this.#current.put(key, content, expected);
  }

  async get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    return (await this.#current.get(key, range)) ?? (await this.#previous.get(key, range));
  }

  async info(key: string): Promise<BlobInfo | undefined> {
    return (await this.#current.info(key)) ?? (await this.#previous.info(key));
  }

  async copy(from: string, to: string): Promise<BlobInfo | undefined> {
    return (await this.#current.copy(from, to)) ?? (await copyBetween(this.#previous, from, this.#current, to));
  }

  /** The previous one is first: a migration copies nothing that is deleted there, and removes what was deleted while it was copied. */
  async delete(key: string): Promise<void> {
    await this.#previous.delete(key);
    await this.#current.delete(key);
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    yield* this.#current.list(prefix);
    for await (const blob of this.#previous.list(prefix)) if (!(await this.#current.info(blob.key))) yield blob;
  }

  async link(key: string, response: LinkedResponse): Promise<string | undefined> {
    const url = await this.#current.link(key, response);
    return url !== undefined && (await this.#current.info(key)) ? url : undefined;
  }

  async removeUnfinished(seconds: number): Promise<void> {
    await this.#current.removeUnfinished(seconds);
    await this.#previous.removeUnfinished(seconds);
  }
}
