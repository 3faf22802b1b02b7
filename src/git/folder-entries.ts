import { lstatSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TimeSlice } from '../concurrency/time-slice.ts';

/*
 * A repository has some hundred folders of a few small files. The calls are synchronous, with pauses for other work: each takes 2 to 4 µs
 * of processor time, an asynchronous one 40.
 */

const slice = new TimeSlice();

/** The size of a folder from which the thread pool reads it: a folder of 50,000 loose refs would hold the thread for 30 ms. */
const LARGE_FOLDER_BYTES = 256 * 1024;

/** A file in a folder or below. */
export interface FileBelow {
  readonly path: string;
  readonly size: number;
}

/** The names in a folder; none if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  if (slice.isOver) await slice.next();
  try {
    const isLarge = (lstatSync(folder, { throwIfNoEntry: false })?.size ?? 0) > LARGE_FOLDER_BYTES;
    return isLarge ? await readdir(folder) : readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** All files in a folder and below, without those that vanish meanwhile. */
export async function filesBelow(folder: string): Promise<FileBelow[]> {
  const files: FileBelow[] = [];
  const waiting = [folder];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const name of await namesIn(parent)) {
      const path = join(parent, name);
      const state = lstatSync(path, { throwIfNoEntry: false });
      if (state?.isDirectory()) waiting.push(path);
      else if (state) files.push({ path, size: state.size });
      if (slice.isOver) await slice.next();
    }
  }
  return files;
}

/** The size of files together; those that vanish meanwhile count as empty. */
export async function sizeOf(paths: readonly string[]): Promise<number> {
  let total = 0;
  for (const path of paths) {
    total += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (slice.isOver) await slice.next();
  }
  return total;
}
