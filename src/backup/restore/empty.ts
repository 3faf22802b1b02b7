import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RESTORE_MARKER, volumePlaces } from '../../data-folders.ts';
import { VOLUME_MARKER } from '../../git/volumes.ts';
import type { Settings } from '../../settings.ts';
import { KIND_PREFIXES } from '../../storage/by-kind.ts';
import type { Storage } from '../../storage/storage.ts';
import { BackupError } from '../layout.ts';

/** Entries that a data folder may have before a restoration: the settings, and the lock that is held. */
const ALLOWED = /^(copse\.yaml|server\.lock(-journal)?)$/;

/**
 * Makes sure that nothing is overwritten, and marks the data folder as being restored.
 * @returns whether an interrupted restoration is continued
 * @throws BackupError
 */
export async function claimEmpty(settings: Settings, storage: Storage): Promise<boolean> {
  const { server } = settings;
  await mkdir(server.dataDir, { recursive: true, mode: 0o700 });
  if (existsSync(join(server.dataDir, RESTORE_MARKER))) return true;
  const first = (await readdir(server.dataDir)).find((name) => !ALLOWED.test(name));
  if (first !== undefined) throw new BackupError(`the data folder ${server.dataDir} is not empty: it has ${first}`);
  for (const { path } of volumePlaces(settings)) {
    const names = await readdir(path).catch(() => []);
    if (names.some((name) => !name.startsWith(VOLUME_MARKER))) throw new BackupError(`the folder of repositories ${path} is not empty`);
    await mkdir(path, { recursive: true, mode: 0o700 });
  }
  for (const prefix of Object.values(KIND_PREFIXES).flat())
    for await (const { key } of storage.list(prefix)) throw new BackupError(`the storage is not empty: it has ${key}`);
  return false;
}

/** Marks the data folder, so that nothing else uses it before the restoration has ended. */
export async function markUnfinished({ server }: Settings): Promise<void> {
  await writeFile(join(server.dataDir, RESTORE_MARKER), 'The same "copse restore" goes on with this.\n', { mode: 0o600 });
}
