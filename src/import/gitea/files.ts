import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** An open file of the source. */
export interface SourceFile {
  readonly size: number;
  readonly stream: Readable;
}

/**
 * A path in a folder of the source; undefined if it does not exist or contains a symbolic link. The folder
 * itself, which the operator has named, may be a link.
 * @param parts names without slashes
 */
export async function pathInside(folder: string, ...parts: readonly string[]): Promise<string | undefined> {
  let path = await realpath(folder).catch(() => undefined);
  for (const [index, part] of parts.entries()) {
    if (path === undefined || part === '' || part === '.' || part === '..' || /[/\0]/.test(part)) return undefined;
    path = join(path, part);
    const stats = await lstat(path).catch(() => undefined);
    const isLast = index === parts.length - 1;
    if (!stats || !(stats.isDirectory() || (isLast && stats.isFile()))) return undefined;
  }
  return path;
}

/** Opens a regular file in a folder of the source; undefined if there is none. */
export async function openInside(folder: string, ...parts: readonly string[]): Promise<SourceFile | undefined> {
  const path = await pathInside(folder, ...parts);
  if (path === undefined) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  const stats = await file?.stat();
  if (!file || !stats?.isFile()) {
    await file?.close();
    return undefined;
  }
  return { size: stats.size, stream: file.createReadStream() };
}
