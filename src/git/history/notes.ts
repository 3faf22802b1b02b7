import { type Commit, readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import { decodeMessage } from '../objects/text.ts';
import { readRef } from '../refs/refs.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { readTree } from '../trees/trees.ts';
import { lastCommit } from './last-commits.ts';

/** A note on a commit (`git notes`). */
export interface Note {
  readonly message: string;
  /** The commit of the notes' own history that last changed it. */
  readonly commit: Commit;
}

const NOTES_REF = 'refs/notes/commits';

/** Longer notes are refused. */
const MAX_NOTE = 1024 * 1024;

/**
 * The note on a commit of full id; `undefined` if there is none.
 * @throws ObjectTooLargeError if it is longer than a mebibyte
 */
export async function readNote(repository: GitRepository, pool: GitPool, oid: string): Promise<Note | undefined> {
  if (!isObjectId(oid, repository.objectFormat)) return undefined;
  const ref = await readRef(repository, pool, NOTES_REF);
  const notes = ref && (await readCommit(repository, pool, ref.oid));
  const found = notes && (await findNote(repository, pool, notes.tree, oid));
  if (!found) return undefined;
  const blob = await pool.read(repository, found.blob, { maxSize: MAX_NOTE });
  const commit = await readCommit(repository, pool, (await lastCommit(repository, pool, notes.oid, found.path)) ?? notes.oid);
  return blob?.type === 'blob' && commit ? { message: decodeMessage(blob.data), commit } : undefined;
}

/** Notes are stored under the commit's id, split into folders of two digits where there are many. */
async function findNote(
  repository: GitRepository,
  pool: GitPool,
  root: string,
  oid: string,
): Promise<{ blob: string; path: string } | undefined> {
  let tree = root;
  let path = '';
  for (let rest = oid; rest.length > 0; ) {
    const entries = await readTree(repository, pool, tree);
    const note = entries?.find(({ name, type }) => name === rest && type === 'blob');
    if (note) return { blob: note.oid, path: path + rest };
    const folder = entries?.find(({ name, type }) => name === rest.slice(0, 2) && type === 'tree');
    if (!folder) return undefined;
    tree = folder.oid;
    path += `${folder.name}/`;
    rest = rest.slice(2);
  }
  return undefined;
}
