import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RESTORE_MARKER, volumePlaces } from '../../data-folders.ts';
import { lockFolder } from '../../database/folder-lock.ts';
import { createGitServices, type GitServices } from '../../git/services.ts';
import type { Settings } from '../../settings.ts';
import { openStorage } from '../../storage/open.ts';
import { FileIndex } from '../file-index.ts';
import { BackupError, placeOf } from '../layout.ts';
import type { OnProgress } from '../make/backup.ts';
import type { Manifest } from '../manifest.ts';
import { databaseOf } from '../rows/location.ts';
import { DatabaseRestorer } from './database.ts';
import { claimEmpty, markUnfinished } from './empty.ts';
import { type FileTarget, restoreFile } from './files.ts';
import { readLines } from './lines.ts';
import { verified } from './open.ts';
import type { BackupReader, ReadFile } from './reader.ts';
import { Room } from './room.ts';

/**
 * Restores a backup into the empty data folder, database and storage of the settings, of any kind.
 * @throws BackupError, TargetNotEmptyError
 */
export async function restoreBackup(settings: Settings, reader: BackupReader, onProgress: OnProgress): Promise<Manifest> {
  const { dataDir } = settings.server;
  const release = await lockFolder(dataDir);
  try {
    const storage = await openStorage(settings);
    const isResumed = await claimEmpty(settings, storage);
    const git = createGitServices(volumePlaces(settings), 0, { maxProcesses: 1, cacheBytes: 0 });
    const scratch = await mkdtemp(join(dataDir, '.restore-'));
    const index = new FileIndex(join(scratch, 'index.db'));
    try {
      const target = { settings, git, storage, index, made: new Set<string>(), room: new Room() };
      await restoreAll(settings, reader, target, isResumed, onProgress);
    } finally {
      index.close();
      await git.pool.close();
      await rm(scratch, { recursive: true, force: true });
    }
    for (const volume of git.volumes.all) await volume.mark();
    await bringToDisk(settings, git);
    await rm(join(dataDir, RESTORE_MARKER));
    return reader.manifest;
  } finally {
    release();
  }
}

async function restoreAll(
  settings: Settings,
  reader: BackupReader,
  target: FileTarget,
  isResumed: boolean,
  onProgress: OnProgress,
): Promise<void> {
  const { manifest } = reader;
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let rows = 0;
  const database = await DatabaseRestorer.open({
    location: databaseOf(settings),
    manifest,
    index: target.index,
    room: target.room,
    volumes: new Set(target.git.volumes.all.map(({ name }) => name)),
    isReplaced: isResumed,
    onRows: (table, count) => {
      rows += count;
      onProgress(`rows (${table})`, rows, total);
    },
  });
  try {
    await markUnfinished(settings);
    const tables = new Set(manifest.tables.map(({ name }) => name));
    let done = 0;
    for await (const file of reader.files()) {
      const place = placeOf(file.path);
      if (place.area === 'database') {
        await restoreTable(database, place.table, file);
        tables.delete(place.table);
      } else {
        await database.finish();
        await restoreFile(target, file, place);
      }
      onProgress('files', ++done, manifest.counts.files);
    }
    if (tables.size > 0) throw new BackupError(`the backup lacks the table ${[...tables][0]}`);
    await database.finish();
  } finally {
    await database.close();
  }
}

async function restoreTable(database: DatabaseRestorer, table: string, file: ReadFile): Promise<void> {
  await verified(file, (content) => database.restore(table, readLines(content)));
}

/** One call for each file system: a file at a time takes far longer. */
async function bringToDisk({ server, storage }: Settings, { volumes }: GitServices): Promise<void> {
  for (const path of [server.dataDir, storage.path, ...volumes.all.map((volume) => volume.path)])
    await promisify(execFile)('sync', ['-f', path]).catch(() => {});
}
