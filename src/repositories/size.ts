import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The total size of all files in a folder; files that vanish meanwhile count as empty, and so does a missing folder. */
export async function folderSize(folder: string): Promise<number> {
  let total = 0;
  const waiting = [folder];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = await entriesOf(path);
    const files: string[] = [];
    for (const entry of entries) (entry.isDirectory() ? waiting : files).push(join(path, entry.name));
    const sizes = await Promise.all(files.map(fileSize));
    for (const size of sizes) total += size;
  }
  return total;
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
