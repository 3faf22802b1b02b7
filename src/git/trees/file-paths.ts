import { posix } from 'node:path';
import { trimEnd } from '../../text/trim-end.ts';

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/**
 * Converts a user's path to the form of trees: without leading, doubled and trailing slashes, with `.` and `..`
 * resolved (never above the root). Undefined for an invalid path: an empty one, a control character, a name that is too long for file
 * systems, or a part that some file system treats as `.git`.
 */
export function cleanFilePath(path: string): string | undefined {
  const cleaned = trimEnd(posix.normalize(`/${path}`).slice(1), '/');
  if (cleaned === '' || /[\x00-\x1f\x7f]/.test(cleaned) || !cleaned.isWellFormed() || Buffer.byteLength(cleaned) > MAX_PATH_BYTES)
    return undefined;
  return cleaned.split('/').every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES && !isDotGit(name)) ? cleaned : undefined;
}

/**
 * Whether a file system could treat `name` as `.git`: case is ignored, HFS+ skips some invisible characters,
 * NTFS drops trailing dots and blanks, ends the name at a colon, treats a backslash as a slash and knows `git~1`.
 * git refuses to check such names out (its verify_path), since they have been used to run code on clone.
 */
export function isDotGit(name: string): boolean {
  const seen = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase();
  return seen.split('\\').some((part) => /^(\.git|git~1)[ .]*(:.*)?$/.test(part));
}
