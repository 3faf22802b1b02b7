import type { Readable } from 'node:stream';

/** The metadata of a stored blob. */
export interface BlobInfo {
  /** Bytes. */
  size: number;
}

/** A blob in a list. */
export interface ListedBlob extends BlobInfo {
  readonly key: string;
  /** When it was stored, in seconds since 1970. */
  readonly modified: number;
}

/** Requirements of a blob, checked while it is stored. */
export interface ExpectedBlob {
  /** Size limit of it in bytes. */
  readonly maxSize?: number;
  /** Bytes that it must have. */
  readonly size?: number;
  /** The SHA-256 of its bytes, in lower-case hexadecimal digits. */
  readonly sha256?: string;
  /** Called with all bytes, a chunk at a time, before they are stored. They are valid until it returns. */
  readonly onBytes?: (chunk: Uint8Array) => void;
  /** Whether an existing blob of the same key is an error, instead of being replaced. */
  readonly isNew?: boolean;
  /** Whether the key is a new one that nobody knows before the blob is stored: what a crash leaves of it may then be incomplete. */
  readonly isUnknown?: boolean;
}

/** The response headers of a direct link. */
export interface LinkedResponse {
  readonly contentType: string;
  /** The whole header. */
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
}

/**
 * Blobs by key: avatars, attachments, packages, large files. A key is made by the server (`avatars/12ab…`), never by a user:
 * letters, digits, `-`, `_`, `.` and `/` between its parts.
 */
export interface Storage {
  /**
   * Stores a blob whole or not at all; one of the same key is replaced. Returns the bytes written.
   * @throws BlobTooLargeError, BlobMismatchError when it is not what was expected, BlobExistsError, and what `content` fails with; then
   *   nothing is stored
   */
  put(key: string, content: Readable | Uint8Array, expected?: ExpectedBlob): Promise<BlobInfo>;
  /** A stream of the blob, or of the bytes from `start` to `end` (inclusive); undefined if there is none. */
  get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined>;
  info(key: string): Promise<BlobInfo | undefined>;
  /**
   * Stores a copy of a blob, where possible without reading it, in place of what is there under that key. Undefined if there is no blob to
   * copy.
   */
  copy(from: string, to: string): Promise<BlobInfo | undefined>;
  delete(key: string): Promise<void>;
  /**
   * Every blob whose key begins with `prefix`, in no order, one after the other: what is stored or deleted meanwhile may be among them or
   * not. The prefix ends with a slash.
   */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /**
   * A URL at which clients read the blob from where it is stored, for a few minutes and without signing in. Undefined where there are no
   * such URLs. Whether there is a blob is not checked.
   */
  link(key: string, response: LinkedResponse): Promise<string | undefined>;
  /** Removes what processes that ended while they stored something have left, when nothing was written to it for so many seconds. */
  removeUnfinished(seconds: number): Promise<void>;
}

/** A blob was larger than it may be. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** There is a blob of this key already. */
export class BlobExistsError extends Error {
  override readonly name = 'BlobExistsError';
}

/** The storage cannot be reached, or does not do what it is asked for. A later attempt may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  constructor(cause: unknown) {
    super('the storage is not available', { cause });
  }
}

/** A blob is not the one that was expected: `part` says by its size, or by its digest. */
export class BlobMismatchError extends Error {
  override readonly name = 'BlobMismatchError';
  readonly part: 'size' | 'sha256';
  constructor(part: 'size' | 'sha256') {
    super(`the blob has another ${part}`);
    this.part = part;
  }
}

/** @throws Error for a key that no part of the server would make */
export function checkKey(key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key) || key.length > 500) throw new Error('not a storage key');
  return key;
}
