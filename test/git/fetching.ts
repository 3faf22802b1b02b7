import { randomBytes } from 'node:crypto';
import { packet } from '../../src/git/protocol/pkt-line.ts';
import type { GitRepository } from '../../src/git/repository.ts';
import { git } from './writing.ts';

/** Bytes of a pack that no connection takes unless somebody reads: the kernel keeps some ten millions at most. */
export const LARGE = 24 * 1024 * 1024;
const FLUSH = Buffer.from('0000');
const DELIMITER = Buffer.from('0001');

/** Packs an object of {@link LARGE} bytes into a repository, and returns its id. */
export function addNoise(folder: GitRepository): string {
  // Random, so it stays as large; not compressed, so it takes no time.
  const noise = git(folder, ['-c', 'core.compression=0', 'hash-object', '-w', '--stdin'], randomBytes(LARGE));
  git(folder, ['update-ref', 'refs/tags/noise', noise]);
  git(folder, ['-c', 'pack.compression=0', 'repack', '-adq']);
  return noise;
}

/** A request of version 2 for all of these objects. */
export function fetchRequest(...wants: readonly string[]): Buffer {
  const lines = ['ofs-delta', 'no-progress', ...wants.map((want) => `want ${want}\n`), 'done\n'];
  return Buffer.concat([packet('command=fetch'), packet('object-format=sha1'), DELIMITER, ...lines.map(packet), FLUSH]);
}

/** A request of version 2 for the list of refs. */
export const LS_REFS = Buffer.concat([packet('command=ls-refs'), packet('object-format=sha1'), DELIMITER, FLUSH]);
