import type { Readable } from 'node:stream';
import type { BackupFile } from '../layout.ts';
import type { Manifest } from '../manifest.ts';

/** A file of a backup that is being read. */
export interface ReadFile extends BackupFile {
  /** Its bytes, which nobody has compared with the digest yet. To be read before the next file. */
  readonly open: () => Promise<Readable>;
}

/** An opened backup, whose list of files is the one that its manifest names. */
export interface BackupReader {
  readonly manifest: Manifest;
  /** All files in the order in which they were added: the tables first. */
  files(): AsyncIterable<ReadFile>;
  close(): Promise<void>;
}
