import type { Context } from '../../context.ts';
import type { GitServices } from '../../git/services.ts';
import { COPSE_VERSION } from '../../instance/version.ts';
import { CleanupHold } from '../../processes/cleanup-hold.ts';
import { cleanUpAfterBackups } from '../feature.ts';
import type { FileIndex, SnapshotRepository } from '../file-index.ts';
import { BACKUP_FORMAT, BackupError } from '../layout.ts';
import type { BackupTable, Manifest } from '../manifest.ts';
import { databaseOf, openSource } from '../rows/location.ts';
import type { RowSource } from '../rows/source.ts';
import { copyBlobs } from './blobs.ts';
import { copyDataFiles } from './data-files.ts';
import { dumpTables } from './dump-tables.ts';
import { readRefMoves, writeRefs } from './refs.ts';
import { copyRepositoryFiles } from './repositories.ts';
import type { BackupSink } from './sink.ts';

/** Repositories that are copied at a time. */
const PARALLEL = 4;

/** Called with the current item and its progress. */
export type OnProgress = (what: string, done: number, total: number) => void;

/** The contents of a backup, for the terminal. */
export interface BackupResult {
  /** Its path. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Bytes that were not there already. */
  readonly transferred: number;
  /** Blobs that rows name, and the storage does not have. */
  readonly lost: readonly string[];
  /** Entries of the data folder that were left out. */
  readonly leftOut: readonly string[];
}

/**
 * Copies the state of a running instance at one time: first the database, in one snapshot, then what it refers to. Nothing is removed
 * meanwhile, and moves of refs are reverted in the copy.
 * @throws BackupError
 */
export async function makeBackup(context: Context, sink: BackupSink, index: FileIndex, onProgress: OnProgress): Promise<BackupResult> {
  const hold = await CleanupHold.take(context.database, context.processes.id);
  try {
    const source = await openSource(databaseOf(context.settings));
    const createdAt = new Date();
    const { migrations, sequences, dialect } = source;
    const tables = await dump(source, sink, index, onProgress).finally(() => source.close());
    const leftOut = await copyDataFiles(context.settings, sink);
    const lost = await blobs(context, sink, index, onProgress);
    await repositories(context, sink, index, onProgress);
    if (!(await hold.isHeld()))
      throw new BackupError('this process missed its heartbeats, so files it had to copy may have been removed: run it again');
    const counts = { repositories: index.count('repositories'), blobs: index.count('blobs'), ...index.totals };
    const rest = { migrations, tables, sequences: Object.fromEntries(sequences), counts };
    const manifestOf = (files: string): Manifest => ({
      format: BACKUP_FORMAT,
      version: COPSE_VERSION,
      createdAt: createdAt.toISOString(),
      database: dialect,
      ...rest,
      files,
    });
    let manifest = manifestOf('');
    const path = await sink.finish(
      (files) => {
        manifest = manifestOf(files);
        return `${JSON.stringify(manifest, null, 1)}\n`;
      },
      `${createdAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`,
    );
    return { path, manifest, transferred: sink.transferred, lost, leftOut };
  } finally {
    await hold.release();
    await cleanUpAfterBackups(context);
  }
}

async function dump(source: RowSource, sink: BackupSink, index: FileIndex, onProgress: OnProgress): Promise<BackupTable[]> {
  let total = 0;
  for (const table of source.tables) total += await source.count(table);
  let done = 0;
  return await dumpTables(source, sink, index, (table, rows) => {
    done += rows;
    onProgress(`rows (${table})`, done, total);
  });
}

async function blobs({ storage }: Context, sink: BackupSink, index: FileIndex, onProgress: OnProgress): Promise<string[]> {
  const total = index.count('blobs');
  let done = 0;
  return await copyBlobs(storage, sink, index, () => onProgress('blobs', ++done, total));
}

/** Copies the files of all repositories, and then writes the refs of all. */
async function repositories(context: Context, sink: BackupSink, index: FileIndex, onProgress: OnProgress): Promise<void> {
  const total = index.count('repositories');
  let done = 0;
  const copied: [SnapshotRepository, string][] = [];
  const rows = index.repositories();
  const worker = async () => {
    for (const row of rows) {
      for (const folder of await copyRepository(context, sink, index, row)) copied.push([row, folder]);
      onProgress('repositories', ++done, total);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  const moves = await readRefMoves(context.db);
  for (const [row, folder] of copied) await writeRefs({ sink, index }, row, folder, moves.get(row.id));
}

/** The recovery finishes or reverts creations and deletions that were in progress at the snapshot. */
const COPIED_STATES: readonly unknown[] = ['ready', 'migrating'];

/** A repository that is moved to another volume all the time is given up after so many attempts. */
const MAX_ATTEMPTS = 10;

/** Copies a repository and its wiki from their location; returns the names of their folders. */
async function copyRepository({ git, db }: Context, sink: BackupSink, index: FileIndex, row: SnapshotRepository): Promise<string[]> {
  if (!COPIED_STATES.includes(row.state)) return [];
  const find = () => db.selectFrom('repositories').selectAll().where('id', '=', row.id).executeTakeFirst();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const now = await find();
    const place = now ?? (row as unknown as NonNullable<typeof now>);
    const folders = await copyFrom(git, sink, index, place);
    // It may have been copied in part if it was moved meanwhile.
    const isThere = folders.length === 0 || (await git.exists(git.locate(place)));
    if (isThere && (await find())?.volume === now?.volume) return folders;
  }
  throw new BackupError(`repository ${row.id} does not stay on one volume`);
}

async function copyFrom(
  git: GitServices,
  sink: BackupSink,
  index: FileIndex,
  place: Parameters<GitServices['locate']>[0],
): Promise<string[]> {
  const folders: string[] = [];
  for (const [repository, folder] of [
    [git.locate(place), `${place.id}.git`],
    [git.locateWiki(place), `${place.id}.wiki.git`],
  ] as const) {
    if (!(await git.exists(repository))) continue;
    await copyRepositoryFiles({ repository, folder, pool: git.pool, sink, index });
    folders.push(folder);
  }
  return folders;
}
