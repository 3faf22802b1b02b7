import type { Readable } from 'node:stream';

/** A file to add to a backup. */
export interface NewFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
  /** Whether its name determines its content: then the same name and size mean the same bytes. */
  readonly isImmutable: boolean;
  /** Opens the source; rejects with ENOENT if it no longer exists. */
  readonly open: () => Promise<Readable>;
}

/** Where a backup goes. */
export interface BackupSink {
  /** Bytes that were not there already. */
  readonly transferred: number;
  /** Adds a file; may be called for several at a time. */
  add(file: NewFile): Promise<void>;
  /** Adds another name of a file that has been added. */
  link(path: string, existing: string): Promise<void>;
  /** Adds an existing scratch file, and removes it. */
  move(path: string, scratch: string): Promise<void>;
  addText(path: string, text: string): Promise<void>;
  /** A folder for scratch files, on the disk of the backup. */
  readonly scratch: string;
  /** Adds the list of files and the manifest, syncs everything to disk, and renames the backup. Returns its path. */
  finish(manifest: (filesDigest: string) => string, name: string): Promise<string>;
  /** Removes files that are of no use for the next attempt. */
  abort(): Promise<void>;
}
