import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What all tests together need there, with a good deal to spare. */
const MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * Makes the folder that all tests write into. They make a great many small files, a PostgreSQL database being a thousand of them,
 * so it is in memory where there is enough and scripts may run there (in Docker they may not).
 */
export async function makeScratchFolder(): Promise<string> {
  const folder = await makePrivateFolder();
  // Tests run programs as other users, who have to come to their folders.
  await chmod(folder, 0o711);
  return folder;
}

async function makePrivateFolder(): Promise<string> {
  const folder = await mkdtemp('/dev/shm/copse-').catch(() => undefined);
  if (folder) {
    if ((await runsScripts(folder)) && (await freeBytes(folder)) >= MEMORY_BYTES) return folder;
    await rm(folder, { recursive: true });
  }
  return mkdtemp(join(tmpdir(), 'copse-'));
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function runsScripts(folder: string): Promise<boolean> {
  const script = join(folder, 'script');
  await writeFile(script, '#!/bin/sh\n', { mode: 0o755 });
  return promisify(execFile)(script).then(
    () => true,
    () => false,
  );
}
