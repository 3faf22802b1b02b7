import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepository, deleteRepository } from '../../../git/create.ts';
import { isValidBranchName } from '../../../git/refs/ref-names.ts';
import type { GitRepository } from '../../../git/repository.ts';
import { readSourceHead, readSourceRefs } from './refs.ts';

const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_FILE = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/;
const PACK_FILE = /^pack-[0-9a-f]+\.(?:pack|idx|rev|bitmap|mtimes)$/;

/** The result of copying a repository. */
export interface CopiedRepository {
  /** The branch of HEAD. */
  readonly head: string;
  readonly branches: number;
  /** What was left out, and why. */
  readonly faults: readonly string[];
}

/**
 * Copies the objects and refs of a source repository into a new one. Nothing else is copied: configuration, hooks and links
 * to objects elsewhere could do harm. Files are hard-linked where possible, since git never changes them in place.
 * Replaces what an interrupted import has left at the target.
 * @param folder undefined for a repository without content
 * @param defaultBranch the branch of HEAD; if empty, that of the source
 */
export async function copySourceRepository(
  folder: string | undefined,
  target: GitRepository,
  defaultBranch: string,
): Promise<CopiedRepository> {
  const faults: string[] = [];
  await deleteRepository(target);
  const wanted = defaultBranch || (folder && (await readSourceHead(folder))) || '';
  const head = isValidBranchName(wanted) ? wanted : 'main';
  await createRepository(target.path, { objectFormat: target.objectFormat, defaultBranch: head });
  if (folder === undefined) return { head, branches: 0, faults };
  if (await hasAlternates(folder)) faults.push('it borrows objects of another repository: run "git repack -a -d" in it and import again');
  await linkObjects(join(folder, 'objects'), join(target.path, 'objects'));
  const { refs, refused } = await readSourceRefs(folder, target.objectFormat);
  if (refused.length > 0) faults.push(`${refused.length} refs cannot be taken over, such as ${refused[0]}`);
  await writeRefs(target, refs);
  return { head, branches: [...refs.keys()].filter((name) => name.startsWith('refs/heads/')).length, faults };
}

async function hasAlternates(folder: string): Promise<boolean> {
  const stats = await lstat(join(folder, 'objects', 'info', 'alternates')).catch(() => undefined);
  return stats !== undefined && stats.size > 0;
}

async function linkObjects(from: string, to: string): Promise<void> {
  const stats = await lstat(from).catch(() => undefined);
  if (!stats?.isDirectory()) return;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    if (LOOSE_FOLDER.test(entry.name)) await linkFiles(join(from, entry.name), join(to, entry.name), LOOSE_FILE);
    else if (entry.name === 'pack') await linkFiles(join(from, entry.name), join(to, entry.name), PACK_FILE);
  }
}

async function linkFiles(from: string, to: string, names: RegExp): Promise<void> {
  const entries = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isFile() && names.test(entry.name));
  if (entries.length > 0) await mkdir(to, { recursive: true });
  for (const { name } of entries) await linkOrCopy(join(from, name), join(to, name));
}

/** Copies the file if the file system has no hard links, has no more of them, or forbids links to files of other owners. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

/** One file for all refs, regardless of their number: https://git-scm.com/docs/gitrepository-layout */
async function writeRefs({ path }: GitRepository, refs: ReadonlyMap<string, string>): Promise<void> {
  if (refs.size === 0) return;
  const lines = [...refs].map(([name, oid]) => ({ bytes: Buffer.from(name), line: `${oid} ${name}\n` }));
  lines.sort((a, b) => a.bytes.compare(b.bytes));
  const file = await open(join(path, 'packed-refs'), 'wx');
  try {
    await file.writeFile(`# pack-refs with: sorted \n${lines.map(({ line }) => line).join('')}`);
    await file.sync();
  } finally {
    await file.close();
  }
}
