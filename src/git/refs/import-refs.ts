import { join } from 'node:path';
import { type GitRepository, whileWriting } from '../repository.ts';
import { lockFile } from './lock-file.ts';
import type { PackedRef } from './packed-refs.ts';
import { setHead } from './update-refs.ts';

/**
 * Writes all refs of a new repository at once, in one file. Nobody else may write to it meanwhile.
 * @param refs in git's order
 * @param defaultBranch the branch that HEAD points to
 */
export async function importRefs(
  repository: GitRepository,
  refs: ReadonlyMap<string, PackedRef>,
  defaultBranch: string | undefined,
): Promise<void> {
  if (refs.size > 0) await whileWriting(repository, () => writePackedRefs(repository, refs));
  if (defaultBranch !== undefined) await setHead(repository, `refs/heads/${defaultBranch}`);
}

async function writePackedRefs(repository: GitRepository, refs: ReadonlyMap<string, PackedRef>): Promise<void> {
  const lock = await lockFile(repository.path, join(repository.path, 'packed-refs'));
  try {
    const lines = [...refs].map(([name, { oid, peeled }]) => (peeled ? `${oid} ${name}\n^${peeled}\n` : `${oid} ${name}\n`));
    await lock.write(`# pack-refs with: sorted \n${lines.join('')}`);
    await lock.commit();
  } finally {
    await lock.release();
  }
}
