import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { PackageError } from '../errors.ts';
import { findFiles, type WantedFiles } from './find-files.ts';

/** The next bytes that the task requests through its port, or null at the end. */
export type Bytes = Uint8Array | null;

/** The input: see `findInBzip2Tar`. */
export interface Bzip2TarTask {
  readonly port: MessagePort;
  readonly wanted: WantedFiles;
}

/**
 * Reads files of an archive that is compressed with bzip2, which takes a second for some megabytes. The worker has no storage: it requests the
 * bytes through the port.
 */
export async function run({ port, wanted }: Bzip2TarTask): Promise<{ found: Map<string, Uint8Array> } | { refusal: string }> {
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
    return { found: await findFiles(Readable.from(bytes(), { objectMode: false }), wanted, 'bzip2') };
  } catch (error) {
    // The class of an error does not survive the message to another thread.
    if (error instanceof PackageError) return { refusal: error.message };
    throw error;
  } finally {
    port.close();
  }
}
