import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createDeflate, deflate, deflateSync } from 'node:zlib';

const COMPRESSION = { level: 1 };
const deflateLater = promisify(deflate);
/** Size up to which compressing takes less time than passing it to another thread: 40 µs instead of 110. */
const SMALL_OBJECT = 4096;
/** Size from which an object is compressed and written in pieces, and that of a piece. */
const LARGE_OBJECT = 1024 * 1024;
const STEP = 256 * 1024;

/** An object to write. */
export interface LooseObject {
  readonly oid: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/**
 * Writes a loose object under a temporary name that git's own cleanup knows, then renames it. An existing one is
 * kept, with a new time so that a concurrent prune spares it.
 */
export async function writeLoose(folder: string, object: LooseObject): Promise<void> {
  const { oid } = object;
  const path = join(folder, oid.slice(0, 2), oid.slice(2));
  if (await freshen(path)) return;
  const temporary = join(dirname(path), `tmp_obj_${randomBytes(6).toString('hex')}`);
  const header = Buffer.from(`${object.type} ${object.content.byteLength}\0`);
  const file = await openInFolder(temporary);
  try {
    try {
      if (object.content.byteLength > LARGE_OBJECT) await writeLarge(file, header, object.content);
      else await file.writeFile(await deflated(Buffer.concat([header, object.content])));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function deflated(content: Buffer): Promise<Buffer> {
  return content.byteLength <= SMALL_OBJECT ? deflateSync(content, COMPRESSION) : await deflateLater(content, COMPRESSION);
}

/** Compresses and writes in pieces: the whole would be in memory three times. */
async function writeLarge(file: FileHandle, header: Buffer, content: Uint8Array): Promise<void> {
  await pipeline(piecesOf(header, content), createDeflate(COMPRESSION), async (compressed: AsyncIterable<Buffer>) => {
    for await (const piece of compressed) await file.writeFile(piece);
  });
}

function* piecesOf(header: Buffer, content: Uint8Array): Generator<Uint8Array> {
  yield header;
  for (let at = 0; at < content.byteLength; at += STEP) yield content.subarray(at, at + STEP);
}

async function freshen(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Concurrent maintenance may delete the empty folder between its creation and the opening: it is created again. */
async function openInFolder(path: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(path, 'wx', 0o444);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error;
      // Not recursive: if the repository was deleted, it must not reappear.
      await mkdir(dirname(path)).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}
