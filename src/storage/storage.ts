import type { Readable } from 'node:stream';

/** What is known of a stored blob. */
export interface BlobInfo {
  /** Bytes. */
  size: number;
}

/**
 * Blobs by key: avatars, attachments, packages, large files. A key is made by the server (`avatars/12ab…`), never by a user:
 * letters, digits, `-`, `_`, `.` and `/` between its parts.
 */
export interface Storage {
  /** Stores a blob whole or not at all; one of the same key is replaced. Answers the bytes written. */
  put(key: string, content: Readable | Uint8Array, options?: { maxSize?: number }): Promise<BlobInfo>;
  /** A stream of the blob, or of the bytes from `start` to `end` (inclusive); undefined if there is none. */
  get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined>;
  info(key: string): Promise<BlobInfo | undefined>;
  delete(key: string): Promise<void>;
  /** Removes what processes that ended while they stored something have left, when nothing was written to it for so many seconds. */
  removeUnfinished(seconds: number): Promise<void>;
}

/** A blob was larger than it may be. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** @throws Error for a key that no part of the server would make */
export function checkKey(key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key) || key.length > 500) throw new Error('not a storage key');
  return key;
}
