import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type Content, hasRow, keepOnce, type StoreOptions, storeContent } from './store.ts';

/** Contents whose rows were inserted together with their files. */
const listed = new WeakSet<Content>();

/** The contents that a request stores: their rows are inserted with their files, or at the end of the request. */
export class NewContents {
  readonly #contents: Content[] = [];

  /** Stores a content as `storeBlob` does. */
  async store(context: Context, content: Readable | Uint8Array, options?: StoreOptions): Promise<Content> {
    const stored = await storeContent(context, content, options);
    if (!hasRow(stored)) this.#contents.push(stored);
    return stored;
  }

  /** Inserts the rows of contents without a file, so that they expire: call this at the end, also after a failure. */
  async settle(context: Context): Promise<void> {
    for (const content of this.#contents.splice(0)) if (!listed.has(content)) await keepOnce(context, content);
  }
}

/** Records that the row of a content was committed. */
export function noteListed(content: Content): void {
  listed.add(content);
}
