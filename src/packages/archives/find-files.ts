import type { Readable } from 'node:stream';
import type { Compression } from './decompress.ts';
import { readTar } from './tar.ts';

/** Files to find in an archive. */
export interface WantedFiles {
  readonly paths: readonly string[];
  /** Ignores case, and what stands for the top folder at the beginning of a path. */
  readonly isLoose?: boolean;
}

/**
 * The files of these paths in a tar archive, which is read up to the last of them; those that it does not have are left out.
 * @throws PackageError 400
 */
export async function findFiles(
  archive: Readable | Buffer,
  { paths, isLoose = false }: WantedFiles,
  compression: Compression,
): Promise<Map<string, Uint8Array>> {
  const keyOf = isLoose ? loosePath : (path: string) => path;
  const wanted = new Map(paths.map((path) => [keyOf(path), path]));
  const found = new Map<string, Uint8Array>();
  const visit = async ({ path, isFile, read }: Parameters<Parameters<typeof readTar>[1]>[0]) => {
    const name = isFile ? wanted.get(keyOf(path)) : undefined;
    if (name !== undefined) found.set(name, await read());
    return found.size === wanted.size ? 'stop' : undefined;
  };
  await readTar(archive, visit, { compression });
  return found;
}

/** A path as one that differs in case, and in what stands for the top folder at its beginning. */
export function loosePath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '').toLowerCase();
}
