import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createRepository, RepositoryExistsError } from '../../git/create.ts';
import type { GitServices } from '../../git/services.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FileIndex } from '../file-index.ts';
import { BackupError, branchOfHead, MAX_SMALL_FILE, type Place, placeOf } from '../layout.ts';
import { verified } from './open.ts';
import type { ReadFile } from './reader.ts';
import type { Room } from './room.ts';

/** Where files of a backup go. */
export interface FileTarget {
  readonly settings: Settings;
  readonly git: GitServices;
  readonly storage: Storage;
  /** The repositories of the database, and the files that are restored. */
  readonly index: FileIndex;
  /** Folders of repositories that have been made. */
  readonly made: Set<string>;
  readonly room: Room;
}

/**
 * Restores a file that belongs to no table.
 * @throws BackupError for one that is damaged, or belongs to no repository
 */
export async function restoreFile(target: FileTarget, file: ReadFile, place: Exclude<Place, { area: 'database' }>): Promise<void> {
  if (place.area === 'blobs') {
    const { size, sha256 } = file;
    const { type, path } = target.settings.storage;
    if (type === 'disk') await target.room.take(path, size);
    await verified(file, (content) => target.storage.put(place.key, content, { size, sha256 }));
  } else if (place.area === 'data') {
    await write(target, file, dataPath(target.settings, place.name), place.name.endsWith('.pub') ? 0o644 : 0o600);
  } else {
    await restoreRepositoryFile(target, file, place);
  }
  target.index.add(file);
}

/** The settings in the backup do not replace those of this restoration. */
function dataPath({ server, ssh }: Settings, name: string): string {
  if (name === 'copse.yaml') return join(server.dataDir, 'copse.yaml.restored');
  const key = /^ssh-host-keys\/(.+)$/.exec(name)?.[1];
  return key === undefined ? join(server.dataDir, name) : join(ssh.hostKeys, key);
}

async function restoreRepositoryFile(target: FileTarget, file: ReadFile, place: Place & { area: 'repositories' }): Promise<void> {
  const path = await madeFolder(target, place.folder);
  if (place.file === 'HEAD') {
    if (file.size > MAX_SMALL_FILE) throw new BackupError(`${file.path} is damaged in the backup`);
    branchOfHead(
      await verified(file, async (content) => Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString()),
    );
    // Made with the repository, from the row.
    return;
  }
  const to = join(path, place.file);
  const mode = place.file.startsWith('objects/') ? 0o444 : place.file.startsWith('custom_hooks/') ? 0o755 : 0o644;
  if (file.link === undefined) await write(target, file, to, mode);
  else await linkFile(target, file.link, to);
}

/** The folder of a repository, which is made with the first of its files. */
async function madeFolder(target: FileTarget, folder: string): Promise<string> {
  const row = target.index.repository(Number.parseInt(folder, 10));
  if (!row) throw new BackupError(`the backup has files of a repository that it does not name: ${folder}`);
  const isWiki = folder.endsWith('.wiki.git');
  const place = row as unknown as Parameters<GitServices['locate']>[0];
  const { path, objectFormat } = isWiki ? target.git.locateWiki(place) : target.git.locate(place);
  if (target.made.has(folder)) return path;
  const defaultBranch = branchOfHead(`ref: refs/heads/${isWiki ? row.default_wiki_branch : row.default_branch}\n`);
  try {
    await createRepository(path, { objectFormat, defaultBranch });
  } catch (error) {
    // An interrupted attempt has made it.
    if (!(error instanceof RepositoryExistsError)) throw error;
  }
  target.made.add(folder);
  return path;
}

/** Files that forks share are one file again. */
async function linkFile(target: FileTarget, existing: string, to: string): Promise<void> {
  const place = placeOf(existing);
  if (place.area !== 'repositories' || !target.index.find(existing))
    throw new BackupError(`the backup has a link to a file that is not in it: ${existing}`);
  const from = join(await madeFolder(target, place.folder), place.file);
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { force: true });
  await link(from, to).catch(() => copyFile(from, to));
}

/** Writes a file under another name first, so that none is ever there half. */
async function write({ room }: FileTarget, file: ReadFile, to: string, mode: number): Promise<void> {
  await room.take(dirname(to), file.size);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const part = `${to}.part`;
  await rm(part, { force: true });
  try {
    await verified(file, (content) => pipeline(content, createWriteStream(part, { mode, flags: 'wx' })));
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
