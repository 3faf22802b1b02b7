import type { Repository } from '../../access/find-repository.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import type { Context } from '../../context.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { TreeConflictError, TreeEditor } from '../../git/edit/edit-tree.ts';
import { type ChangedEntry, fsckEntries } from '../../git/edit/fsck-files.ts';
import { copyTree } from '../../git/objects/copy-objects.ts';
import { directObjects, treeOfCommit } from '../../git/objects/object-source.ts';
import { type NewObject, newCommit, newObject, writeObjects } from '../../git/objects/write-objects.ts';
import { readRef } from '../../git/refs/refs.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import { cleanFilePath } from '../../git/trees/file-paths.ts';
import { type PathEntry, readTreeRecursiveSized } from '../../git/trees/tree-listing.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { initialCommitter } from '../signing/initial-commit.ts';
import { type Expansions, expand, expansionsFor, safePath } from './expand.ts';
import type * as task from './patterns-task.ts';

/** Lists the files in which placeholders are expanded; it is not copied. */
const PATTERNS_FILE = '.gitea/template';
/** Larger files keep their placeholders. */
const MAX_FILE_BYTES = 1024 * 1024;

const TASK = new URL('./patterns-task.ts', import.meta.url);
/** Milliseconds for matching the patterns with the files of a template; beyond that it cannot be used. */
const DEADLINE_MS = 5000;

/** Copies the files of a template's default branch into a new repository, as its first commit. */
export async function copyContent(
  context: Context,
  template: Repository,
  repository: Repository,
  folder: GitRepository,
): Promise<RepositoryUpdate> {
  const from = context.git.locate(template);
  const branch = await readRef(from, context.git.pool, `refs/heads/${template.default_branch}`);
  if (!branch) return {};
  const base = await treeOfCommit(directObjects, from, branch.oid);
  await copyTree(from, folder, base, context.settings.git.timeout);
  const { tree, objects } = await filledIn(context, template, repository, from, folder, base);
  const author = gitSignature(context, repository.owner);
  const { committer, sign } = await initialCommitter(context, repository, author);
  const commit = await newCommit(folder.objectFormat, { tree, parents: [], author, committer, message: 'Initial commit\n' }, sign);
  await updateRef(folder, { name: `refs/heads/${repository.default_branch}`, to: commit.oid, from: null }, () =>
    writeObjects(folder, [...objects, commit]),
  );
  return { is_empty: false, branches_count: 1 };
}

/** The template's tree with expanded placeholders, in the files that it lists. */
async function filledIn(
  context: Context,
  template: Repository,
  repository: Repository,
  from: GitRepository,
  folder: GitRepository,
  base: string,
): Promise<{ tree: string; objects: NewObject[] }> {
  const { pool } = context.git;
  const list = await findEntry(from, pool, base, PATTERNS_FILE);
  const size = list?.type === 'blob' ? (await pool.info(from, list.oid))?.size : undefined;
  if (!list || size === undefined || size > MAX_FILE_BYTES) return { tree: base, objects: [] };
  const patterns = await pool.read(from, list.oid, { maxSize: MAX_FILE_BYTES });
  const editor = new TreeEditor(folder, directObjects, base);
  await editor.remove(PATTERNS_FILE);
  const expansions = expansionsFor(context.settings, template, repository);
  const listing = await readTreeRecursiveSized(from, pool, base);
  const made: NewObject[] = [];
  const filled: ChangedEntry[] = [];
  const files = (listing?.entries ?? []).filter(({ type, mode, size, path }) => {
    return type === 'blob' && mode !== '120000' && (size ?? 0) <= MAX_FILE_BYTES && path !== PATTERNS_FILE;
  });
  for (const entry of await matchingFiles(context, files, patterns?.data.toString('utf8') ?? '')) {
    const object = await pool.read(from, entry.oid, { maxSize: MAX_FILE_BYTES });
    const file = object && (await fill(editor, folder, entry, object.data, expansions));
    if (!file) continue;
    made.push(file.blob);
    filled.push({ path: file.path, item: { mode: '100644', oid: file.blob.oid } });
  }
  await fsckEntries(folder, filled, made);
  const root = await editor.finish();
  return { tree: root.oid, objects: [...made, ...root.objects] };
}

/** The files that match the patterns. */
async function matchingFiles({ workers }: Context, files: readonly PathEntry[], patterns: string): Promise<PathEntry[]> {
  const paths = files.map(({ path }) => path).join('\0');
  const places = await workers.run<typeof task>(TASK, { patterns, paths }, { deadlineMs: DEADLINE_MS });
  return places.flatMap((at) => files[at] ?? []);
}

/** Expands one file, and returns its path. A file whose new name is taken or invalid keeps its name. */
async function fill(
  editor: TreeEditor,
  folder: GitRepository,
  entry: PathEntry,
  content: Buffer,
  expansions: Expansions,
): Promise<{ path: string; blob: NewObject } | undefined> {
  const path = cleanFilePath(safePath(expand(entry.path, expansions)));
  if (path === undefined) return undefined;
  // Latin 1 preserves bytes that are not text.
  const values = new Map([...expansions].map(([name, value]) => [name, Buffer.from(value).toString('latin1')]));
  const blob = newObject(folder.objectFormat, 'blob', Buffer.from(expand(content.toString('latin1'), values), 'latin1'));
  await editor.remove(entry.path);
  try {
    await editor.set(path, { mode: '100644', oid: blob.oid });
  } catch (error) {
    if (!(error instanceof TreeConflictError)) throw error;
    await editor.set(entry.path, { mode: entry.mode, oid: entry.oid });
    return undefined;
  }
  return { path, blob };
}
