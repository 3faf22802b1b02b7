import type { Readable } from 'node:stream';

/** A file that is to be in a backup. */
export interface NewFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
  /** Whether its name says what is in it: then the same name and size are the same bytes. */
  readonly isImmutable: boolean;
  /** Opens the source; rejects with ENOENT when that is gone. */
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
  /** Adds what is already in a scratch file, which goes. */
  move(path: string, scratch: string): Promise<void>;
  addText(path: string, text: string): Promise<void>;
  /** A folder for scratch files, on the disk of the backup. */
  readonly scratch: string;
  /** Adds the list of files and the manifest, brings all to the disk, and gives the backup its name. Returns where it is. */
  finish(manifest: (filesDigest: string) => string, name: string): Promise<string>;
  /** Removes what is of no use for the next attempt. */
  abort(): Promise<void>;
}
