import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { PackageError } from '../errors.ts';
import { maxOwnerSize } from '../registry/limits.ts';
import type { Content } from './content.ts';
import { dropContent, hasRow, type StoreOptions, storeContent } from './store.ts';

/** Contents whose rows were inserted together with their files. */
const listed = new WeakSet<Content>();

/** The contents that a request stores: their rows are inserted with their files, and those without a file are deleted at its end. */
export class NewContents {
  readonly #contents: Content[] = [];

  /**
   * Stores a content as `storeBlob` does.
   * @throws PackageError `total-size` also for one that is larger than all packages of an owner may be
   */
  async store(context: Context, content: Readable | Uint8Array, options: StoreOptions = {}): Promise<Content> {
    const { maxSize = Number.MAX_SAFE_INTEGER } = options;
    const maxTotal = maxOwnerSize(context);
    try {
      const stored = await storeContent(context, content, { ...options, maxSize: Math.min(maxSize, maxTotal) });
      if (!hasRow(stored)) this.#contents.push(stored);
      return stored;
    } catch (error) {
      throw error instanceof BlobTooLargeError && maxTotal < maxSize ? new PackageError('total-size') : error;
    }
  }

  /** Deletes contents without a file, so that refused publications take no room: call this at the end, also after a failure. */
  async settle(context: Context): Promise<void> {
    for (const content of this.#contents.splice(0)) if (!listed.has(content)) await dropContent(context, content);
  }
}

/** Records that the row of a content was committed. */
export function noteListed(content: Content): void {
  listed.add(content);
}
