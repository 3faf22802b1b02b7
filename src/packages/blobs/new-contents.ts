import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type Content, hasRow, keepOnce, type StoreOptions, storeContent } from './store.ts';

/** Contents that got their rows together with their files. */
const listed = new WeakSet<Content>();

/** What a request stores: new contents get their rows in the transaction that gives them to files, or at the end of the request. */
export class NewContents {
  readonly #contents: Content[] = [];

  /** Stores a content as `storeBlob` does. */
  async store(context: Context, content: Readable | Uint8Array, options?: StoreOptions): Promise<Content> {
    const stored = await storeContent(context, content, options);
    if (!hasRow(stored)) this.#contents.push(stored);
    return stored;
  }

  /** Adds the rows of those that no file was given, so that they expire: to be called at the end, however it went. */
  async settle(context: Context): Promise<void> {
    for (const content of this.#contents.splice(0)) if (!listed.has(content)) await keepOnce(context, content);
  }
}

/** Notes that the row of a content was committed. */
export function noteListed(content: Content): void {
  listed.add(content);
}
