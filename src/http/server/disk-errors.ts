import { HttpError } from '../errors.ts';

/** git's messages when there is no space left, or no quota for this user. */
const GIT_NO_SPACE = /No space left on device|Disk quota exceeded/;

/**
 * 507 for an error that a full disk has caused, in whatever wrote to it: the file system, git, or an error that has one of these as its
 * cause. Undefined for other errors.
 */
export function diskFull(error: unknown): HttpError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const { code, stderr } = each as Error & { code?: unknown; stderr?: unknown };
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || (typeof stderr === 'string' && GIT_NO_SPACE.test(stderr));
    if (isFull) return new HttpError(507, 'the server has no disk space left', { cause: error });
  }
  return undefined;
}
