import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Settings } from '../../settings.ts';
import { isDataFile } from '../layout.ts';
import type { BackupSink } from './sink.ts';

/** Entries of the data folder that need no backup: the next start recreates them, or they are copied separately. */
const KNOWN =
  /^(copse\.db(-wal|-shm)?|server\.lock|hooks|runner|upstream-documents|repositories|storage|secret\.key|copse\.yaml|ssh-host-keys)$/;

/** Copies the keys and the settings of the data folder. Returns the names of unknown entries, which are left out. */
export async function copyDataFiles(settings: Settings, sink: BackupSink): Promise<string[]> {
  const { dataDir } = settings.server;
  for (const name of ['secret.key', 'copse.yaml']) await copy(join(dataDir, name), name, sink);
  for (const name of await readdir(settings.ssh.hostKeys).catch(() => [])) {
    const file = `ssh-host-keys/${name}`;
    if (isDataFile(file)) await copy(join(settings.ssh.hostKeys, name), file, sink);
  }
  const own = new Set(
    [settings.repository.path, settings.storage.path, settings.ssh.hostKeys].map((path) => relative(dataDir, path).split('/')[0]),
  );
  const names = await readdir(dataDir).catch(() => []);
  return names.filter((name) => !KNOWN.test(name) && !own.has(name) && !name.startsWith('secret.key.'));
}

async function copy(source: string, name: string, sink: BackupSink): Promise<void> {
  const info = await stat(source).catch(() => undefined);
  if (!info?.isFile()) return;
  const { size, mtimeMs } = info;
  const open = async () => createReadStream(source);
  await sink.add({ path: `data/${name}`, size, modified: Math.floor(mtimeMs), isImmutable: false, open });
}
