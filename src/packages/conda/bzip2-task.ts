import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { PackageError } from '../errors.ts';
import { readDocuments } from './documents.ts';
import type { CondaDocuments } from './metadata.ts';

/** The next bytes that the task requests through its port, or null at the end. */
export type Bytes = Uint8Array | null;

/**
 * Reads the documents of a package that is compressed with bzip2, which takes a second for some megabytes. The worker has no storage: it
 * requests the bytes through the port.
 */
export async function run({ port }: { port: MessagePort }): Promise<CondaDocuments | { refused: string }> {
  const waiting: ((bytes: Bytes) => void)[] = [];
  port.on('message', (bytes: Bytes) => waiting.shift()?.(bytes));
  const next = () => {
    const { promise, resolve } = Promise.withResolvers<Bytes>();
    waiting.push(resolve);
    port.postMessage('next');
    return promise;
  };
  async function* bytes() {
    for (let part = await next(); part; part = await next()) yield part;
  }
  try {
    return await readDocuments(Readable.from(bytes(), { objectMode: false }), 'bzip2');
  } catch (error) {
    // The class of an error does not survive the message to another thread.
    if (error instanceof PackageError) return { refused: error.message };
    throw error;
  } finally {
    port.close();
  }
}
