import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { isObjectId, type ObjectFormat } from '../repository.ts';

/*
 * git's ref files: https://git-scm.com/docs/gitrepository-layout
 * These files are tiny and in the page cache, where a synchronous read takes 10 µs of CPU and an asynchronous one 60.
 */

/** A ref's content: an object, or the name of another ref. */
export type RefValue = { readonly oid: string } | { readonly target: string };

/** The contents of a folder of loose refs. */
export interface RefFolder {
  readonly refs: ReadonlyMap<string, RefValue>;
  readonly folders: readonly string[];
}

/** A fingerprint of the state of a file or folder. */
export interface FileState {
  readonly signature: string;
  /** Whether any later change would be visible: a change within the same tick of the file system is not. */
  readonly settled: boolean;
  /** Whether it is a folder of so many files that their names alone take many milliseconds to read. */
  readonly isLarge: boolean;
}

/** A folder has this size with some thousand files, on most file systems. */
const LARGE_FOLDER = 128 * 1024;

/** The coarsest tick of file systems in use is two seconds; a more recent state is not relied on. */
const TICK_MS = 2_000;

/**
 * The state of a file or folder; `undefined` if there is none. It is opened for that: network file systems then ask their server for
 * changes, while a `stat` alone may be seconds old (close-to-open consistency, nfs(5)).
 */
export function fileState(path: string): FileState | undefined {
  const stats = ignoreMissing<Stats>(() => openedState(path));
  if (!stats) return undefined;
  return {
    signature: `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}`,
    settled: Date.now() - stats.ctimeMs > TICK_MS,
    isLarge: stats.size > LARGE_FOLDER,
  };
}

function openedState(path: string): Stats {
  const file = openSync(path, 'r');
  try {
    return fstatSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads one loose ref or `HEAD`; `undefined` if there is none or it is broken. */
export function readLooseRef(repositoryPath: string, name: string, format: ObjectFormat): RefValue | undefined {
  const text = ignoreMissing(() => readFileSync(join(repositoryPath, name), 'utf8'));
  if (text === undefined) return undefined;
  if (text.startsWith('ref:')) return { target: text.slice(4).trim() };
  const oid = text.trim();
  return isObjectId(oid, format) ? { oid } : undefined;
}

/** The full names of the loose refs in a folder and below, without reading them. Others are served meanwhile. */
export async function looseNames(repositoryPath: string, folder: string): Promise<string[]> {
  const names: string[] = [];
  const waiting = [folder];
  const slice = new TimeSlice();
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const path = join(repositoryPath, parent);
    for (const entry of (await readEntries(path, fileState(path)?.isLarge ?? false)) ?? []) {
      const name = `${parent}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      else if (!name.endsWith('.lock')) names.push(name);
      if (slice.isOver) await slice.next();
    }
  }
  return names;
}

/** Reads a folder of loose refs, not those below it; `undefined` if there is none. Others are served meanwhile. */
export async function readRefFolder(
  repositoryPath: string,
  folder: string,
  format: ObjectFormat,
  { isLarge }: Pick<FileState, 'isLarge'>,
): Promise<RefFolder | undefined> {
  const entries = await readEntries(join(repositoryPath, folder), isLarge);
  if (!entries) return undefined;
  const refs = new Map<string, RefValue>();
  const folders: string[] = [];
  const slice = new TimeSlice();
  for (const entry of entries) {
    if (slice.isOver) await slice.next();
    if (entry.isDirectory()) folders.push(entry.name);
    else if (!entry.name.endsWith('.lock')) {
      const value = readLooseRef(repositoryPath, `${folder}/${entry.name}`, format);
      if (value) refs.set(entry.name, value);
    }
  }
  return { refs, folders };
}

async function readEntries(path: string, isLarge: boolean): Promise<readonly Dirent[] | undefined> {
  if (!isLarge) return ignoreMissing(() => readdirSync(path, { withFileTypes: true }));
  try {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(path, { bufferSize: 500 })) entries.push(entry);
    return entries;
  } catch (error) {
    return ignoreMissing(() => {
      throw error;
    });
  }
}

/** The text of `packed-refs`; empty without the file. For one name, searching it is far cheaper than parsing all of it. */
export function readPackedText(repositoryPath: string): string {
  return ignoreMissing(() => readFileSync(join(repositoryPath, 'packed-refs'), 'utf8')) ?? '';
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

function ignoreMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
