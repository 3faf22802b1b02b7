import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectTooLargeError } from '../objects/object.ts';
import type { GitPool } from '../objects/objects.ts';
import { inScratch, type Quarantine } from '../objects/quarantine.ts';
import { treeMode } from '../objects/tree-format.ts';
import { type NewObject, newObject, newTree } from '../objects/write-objects.ts';
import { GitError, GitLimitError, runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import type { TreeItem } from './edit-tree.ts';
import { fewChanges } from './few-changes.ts';
import { looseChanges } from './loose-changes.ts';

/** The new item at a path; null for a deletion. */
export interface ChangedEntry {
  readonly path: string;
  readonly item: TreeItem | null;
}

/** git refuses to receive a file like this one: it could harm users who clone the repository. */
export class HarmfulFileError extends Error {
  override readonly name = 'HarmfulFileError';
  readonly path: string;
  constructor(path: string, reason: string) {
    super(`${reason} [path: ${path}]`);
    this.path = path;
  }
}

/** Size limit of the list of changes in bytes. */
const MAX_DIFF = 256 * 1024 * 1024;
/** Size limit of a commit or tree that is compared here; git compares larger ones. */
const SMALL = 64 * 1024;

/**
 * Checks the changes of a tree by git's rules for a push.
 * @param newObjects the new objects among the entries'; others are read from the repository
 * @throws HarmfulFileError
 */
export async function fsckEntries(
  repository: GitRepository,
  entries: readonly ChangedEntry[],
  newObjects: readonly NewObject[],
): Promise<void> {
  const special = specialEntries(entries);
  if (special.length === 0) return;
  const ids = new Set(special.map(({ item }) => item.oid));
  await inScratch(repository, async (quarantine) => {
    await quarantine.writeScratch(newObjects.filter(({ oid }) => ids.has(oid)));
    await check(repository, quarantine, special);
  });
}

/**
 * Checks the changes of new commits, which may be in the quarantine, against others. A merge of two harmless files can be harmful.
 * @param commits each with the commit to compare it with
 * @throws HarmfulFileError
 */
export async function fsckCommits(
  repository: GitRepository,
  quarantine: Quarantine,
  commits: readonly (readonly [commit: string, parent: string])[],
): Promise<void> {
  if (commits.length === 0) return;
  await check(repository, quarantine, specialEntries(await changes(repository, quarantine, commits)));
}

/**
 * Checks the changes of a commit of the repository against another one, like {@link fsckCommits}.
 * @throws HarmfulFileError
 */
export async function fsckCommit(repository: GitRepository, pool: GitPool, commit: string, parent: string): Promise<void> {
  const read = async (oid: string) => {
    try {
      return await pool.read(repository, oid, { maxSize: SMALL });
    } catch (error) {
      if (error instanceof ObjectTooLargeError) return undefined;
      throw error;
    }
  };
  const few = await fewChanges(
    async (oid, type) => {
      const object = await read(oid);
      return object?.type === type ? object.data : undefined;
    },
    repository.objectFormat,
    commit,
    parent,
  );
  if (few) await fsckEntries(repository, few, []);
  else await inScratch(repository, (quarantine) => fsckCommits(repository, quarantine, [[commit, parent]]));
}

async function changes(
  repository: GitRepository,
  quarantine: Quarantine,
  commits: readonly (readonly [commit: string, parent: string])[],
): Promise<Iterable<ChangedEntry>> {
  const folders = [quarantine.folder, join(repository.path, 'objects')];
  const [[commit, parent] = ['', ''], ...others] = commits;
  const loose = others.length === 0 ? await looseChanges(folders, repository.objectFormat, commit, parent) : undefined;
  if (loose) return loose;
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-commit-id', '--diff-filter=d'];
  const input = commits.map((pair) => `${pair.join(' ')}\n`).join('');
  const { stdout } = await runGit(args, { cwd: repository.path, env: quarantine.env, input, maxOutput: MAX_DIFF });
  return parseRaw(stdout.toString());
}

/** `:<mode before> <mode> <id before> <id> <status>`, NUL, the path, NUL: https://git-scm.com/docs/git-diff-tree#_raw_output_format */
function* parseRaw(text: string): Generator<ChangedEntry> {
  const fields = text.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , oid = ''] = (fields[at] ?? '').split(' ');
    const known = treeMode(mode);
    if (known) yield { path: fields[at + 1] ?? '', item: { mode: known, oid } };
  }
}

interface SpecialEntry {
  readonly path: string;
  readonly name: string;
  readonly item: TreeItem;
}

/** The parts of changed paths that git may interpret. */
function specialEntries(entries: Iterable<ChangedEntry>): SpecialEntry[] {
  const found = new Map<string, SpecialEntry>();
  for (const { path, item } of entries) {
    if (!item) continue;
    const names = path.split('/');
    names.forEach((name, at) => {
      if (!maySeem(name)) return;
      const part = names.slice(0, at + 1).join('/');
      const isFolder = at < names.length - 1;
      found.set(`${part} ${item.oid}`, { path: part, name, item: isFolder ? { mode: '040000', oid: '' } : item });
    });
  }
  return [...found.values()];
}

/**
 * Whether some file system may treat `name` as `.git`, `.gitmodules` or `.gitattributes`. git decides that; this must accept every
 * possible name: HFS+ skips some characters, NTFS has short names, and the end of a name may be left out.
 */
function maySeem(name: string): boolean {
  const seen = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return seen.split('\\').some((part) => /^(\.git(modules|attributes|$|[ .:])|[^~]{0,6}~\d)/i.test(part));
}

/** Lets git receive the entries, each in its own tree, in an otherwise empty repository. */
async function check(repository: GitRepository, quarantine: Quarantine, entries: readonly SpecialEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { objectFormat, path: cwd } = repository;
  const emptyTree = newObject(objectFormat, 'tree', new Uint8Array());
  const trees = entries.map(({ name, item: { mode, oid } }) =>
    newTree(objectFormat, [{ name: Buffer.from(name).toString('latin1'), mode, oid: mode === '040000' ? emptyTree.oid : oid }]),
  );
  await quarantine.writeScratch([emptyTree, ...trees]);
  const blobs = entries.filter(({ item: { mode } }) => mode !== '040000' && mode !== '160000').map(({ item }) => item.oid);
  const input = [...new Set([emptyTree.oid, ...trees.map(({ oid }) => oid), ...blobs])].map((oid) => `${oid}\n`).join('');
  const { stdout: pack } = await runGit(['pack-objects', '--stdout', '--quiet'], { cwd, env: quarantine.env, input });
  const objectFolder = await mkdtemp(join(quarantine.folder, 'fsck-'));
  try {
    await runGit(['index-pack', '--stdin', '--strict'], { cwd, env: { GIT_OBJECT_DIRECTORY: objectFolder }, input: pack });
  } catch (error) {
    if (!(error instanceof GitError) || error instanceof GitLimitError) throw error;
    const [, oid, reason = ''] = /^error: object ([0-9a-f]+): (?:\w+: )?(.*)$/m.exec(error.stderr) ?? [];
    const at = entries.findIndex(({ item }, i) => item.oid === oid || trees[i]?.oid === oid);
    const entry = entries[at < 0 && entries.length === 1 ? 0 : at];
    if (!entry) throw error;
    throw new HarmfulFileError(entry.path, reason || 'git refuses the file');
  }
}
