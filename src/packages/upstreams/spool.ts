import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../../context.ts';
import { namesIn } from '../../git/folder-entries.ts';
import { UpstreamError } from './request.ts';

/** The folder in the data folder with a folder for each process. */
const FOLDER = 'upstream-documents';
/** Besides the id of a process, since ids repeat when a database is restored from a backup. */
const RUN = randomBytes(4).toString('hex');

type Place = Pick<Services, 'settings' | 'processes'>;

/**
 * Writes a response to a file for as long as it is read, since many may arrive slowly at the same time.
 * @throws UpstreamError for one that has more bytes, or ends too early; and the error of `read`
 */
export async function spooled<T>(place: Place, body: Readable, maxSize: number, read: (file: string) => Promise<T>): Promise<T> {
  const folder = join(folderOf(place), ownName(place));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, randomUUID());
  try {
    try {
      await pipeline(body, (content: AsyncIterable<Buffer>) => atMost(content, maxSize), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      throw new UpstreamError('its response ended too early', { cause: error });
    }
    return await read(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** Removes the files of processes that are gone. */
export async function removeSpooled(place: Place): Promise<void> {
  for (const name of await namesIn(folderOf(place))) {
    const process = Number.parseInt(name, 10);
    const isGone = process === place.processes.id ? name !== ownName(place) : !(await place.processes.isAlive(process));
    if (isGone) await rm(join(folderOf(place), name), { recursive: true, force: true });
  }
}

/** Removes the folder of this process, which fetches nothing more. */
export async function closeSpool(place: Place): Promise<void> {
  await rm(join(folderOf(place), ownName(place)), { recursive: true, force: true });
}

function folderOf({ settings }: Place): string {
  return join(settings.server.dataDir, FOLDER);
}

function ownName({ processes }: Place): string {
  return `${processes.id}-${RUN}`;
}

async function* atMost(content: AsyncIterable<Buffer>, maxSize: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxSize) throw new UpstreamError(`its document has more than ${maxSize} bytes`);
    yield chunk;
  }
}
