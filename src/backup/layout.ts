import { isValidBranchName } from '../git/refs/ref-names.ts';
import { KIND_PREFIXES } from '../storage/by-kind.ts';
import { checkKey } from '../storage/storage.ts';
import { isBackedUp } from './hold/held-storage.ts';

/** The version of the format of backups: a newer one cannot be read. */
export const BACKUP_FORMAT = 1;
/** Written last: a backup without it is incomplete. */
export const MANIFEST = 'manifest.json';
/** Every file of the backup but the manifest and itself, as lines of JSON. */
export const FILE_LIST = 'files.jsonl.zst';
/** Where a backup grows until it is whole. */
export const UNFINISHED = '.unfinished';
/** Size limit of a manifest, a HEAD and similar files that are read at once, in bytes. */
export const MAX_SMALL_FILE = 16 * 2 ** 20;

/** A file of a backup, as in {@link FILE_LIST}. */
export interface BackupFile {
  /** Within the backup, with slashes. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When the source was changed last, in milliseconds since 1970. */
  readonly modified: number;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** The path of an earlier file that this one is another name of. */
  readonly link?: string;
}

/** The meaning of a path within a backup. */
export type Place =
  | { readonly area: 'database'; readonly table: string }
  | { readonly area: 'blobs'; readonly key: string }
  | { readonly area: 'data'; readonly name: string }
  | { readonly area: 'repositories'; readonly folder: string; readonly file: string };

export const tablePath = (table: string) => `database/${table}.jsonl.zst`;
export const blobPath = (key: string) => `blobs/${key}`;
export const repositoryPath = (folder: string, file: string) => `repositories/${folder}/${file}`;

/** Files of the data folder. */
const DATA_FILE = /^(secret\.key|copse\.yaml|ssh-host-keys\/ssh_host_\w+_key(\.pub)?)$/;
/** Files of repositories: objects, refs and scripts. The rest is recreated, so nothing in a backup configures git. */
const REPOSITORY_FILE =
  /^(HEAD|packed-refs|shallow|objects\/[0-9a-f]{2}\/[0-9a-f]{38}([0-9a-f]{24})?|objects\/pack\/pack-[0-9a-f]+\.(pack|idx|rev|bitmap|mtimes)|custom_hooks\/(pre-receive|update|post-receive))$/;

/** Not a backup, or one that this version cannot read. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * The meaning of a path. Only paths that a backup itself makes are accepted, so none leads elsewhere.
 * @throws BackupError
 */
export function placeOf(path: string): Place {
  const place = placeIn(path);
  if (!place) throw new BackupError(`the backup has a file that belongs to nothing: ${JSON.stringify(path.slice(0, 200))}`);
  return place;
}

function placeIn(path: string): Place | undefined {
  const [area, ...rest] = path.split('/');
  const name = rest.join('/');
  if (area === 'database') {
    const table = /^([a-z][a-z0-9_]{0,62})\.jsonl\.zst$/.exec(name)?.[1];
    return table === undefined ? undefined : { area, table };
  }
  if (area === 'blobs') return isKey(name) ? { area, key: name } : undefined;
  if (area === 'data') return DATA_FILE.test(name) ? { area, name } : undefined;
  if (area !== 'repositories') return undefined;
  const [, folder = '', file = ''] = /^(\d{1,15}(?:\.wiki)?\.git)\/(.+)$/.exec(name) ?? [];
  return REPOSITORY_FILE.test(file) ? { area, folder, file } : undefined;
}

function isKey(key: string): boolean {
  try {
    checkKey(key);
  } catch {
    return false;
  }
  return isBackedUp(key) && Object.values(KIND_PREFIXES).some((prefixes) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/** Whether `name` is a file of the data folder that is backed up. */
export function isDataFile(name: string): boolean {
  return DATA_FILE.test(name);
}

/**
 * The branch of a repository's `HEAD`.
 * @throws BackupError
 */
export function branchOfHead(text: string): string {
  const branch = /^ref: refs\/heads\/(.+)\n$/.exec(text)?.[1] ?? '';
  if (!isValidBranchName(branch)) throw new BackupError('the backup has a repository whose HEAD is on no branch');
  return branch;
}
