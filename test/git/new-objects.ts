import type { RawTreeEntry } from '../../src/git/objects/tree-format.ts';
import { type NewObject, newObject, newTag, newTree, type TagParts, writeObjects } from '../../src/git/objects/write-objects.ts';
import type { GitRepository } from '../../src/git/repository.ts';

async function writeOne(repository: GitRepository, object: NewObject): Promise<string> {
  await writeObjects(repository, [object]);
  return object.oid;
}

/** Writes a blob, and returns its id. */
export function writeBlob(repository: GitRepository, content: Uint8Array): Promise<string> {
  return writeOne(repository, newObject(repository.objectFormat, 'blob', content));
}

/** Writes a tree, and returns its id; the objects that it names must exist. */
export async function writeTree(repository: GitRepository, entries: Iterable<RawTreeEntry>): Promise<string> {
  return writeOne(repository, newTree(repository.objectFormat, entries));
}

/** Writes an annotated tag, and returns its id; no ref is made. */
export async function writeTag(repository: GitRepository, parts: TagParts): Promise<string> {
  return writeOne(repository, await newTag(repository.objectFormat, parts));
}
