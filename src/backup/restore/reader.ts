import type { Readable } from 'node:stream';
import type { BackupFile } from '../layout.ts';
import type { Manifest } from '../manifest.ts';

/** A file of a backup that is being read. */
export interface ReadFile extends BackupFile {
  /** Its bytes, not yet compared with the digest. They must be read before the next file. */
  readonly open: () => Promise<Readable>;
}

/** An opened backup, whose list of files is the one that its manifest names. */
export interface BackupReader {
  readonly manifest: Manifest;
  /** All files in the order of the backup: tables first. */
  files(): AsyncIterable<ReadFile>;
  close(): Promise<void>;
}
