import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { type Commit, readCommit } from '../git/objects/commits.ts';
import { resolveRef } from '../git/refs/revisions.ts';
import { notFound } from '../http/errors.ts';

/** A named branch, tag or commit. */
export interface CodeRevision {
  readonly kind: 'branch' | 'tag' | 'commit';
  /** The given name; the default branch's if there was none. */
  readonly name: string;
  readonly commit: Commit;
}

/**
 * The branch, else the tag, else the commit with the full id; the default branch if no name is given.
 * @throws HttpError 404
 */
export async function findRevision(context: Context, repository: Repository, given: string | undefined): Promise<CodeRevision> {
  const name = given?.trim() || repository.default_branch;
  const located = context.git.locate(repository);
  const found = await resolveRef(located, context.git.pool, name);
  const commit = found && (await readCommit(located, context.git.pool, found.commit));
  if (!commit) throw notFound([missingObject(name)]);
  return { kind: found.kind, name, commit };
}

/** A full id in lower case, like git's. */
export function wholeId(text: string): string {
  return /^(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$/.test(text) ? text.toLowerCase() : text;
}

/** The error of a missing object or path. */
export function missingObject(id: string, path = ''): string {
  return `object does not exist [id: ${id}, rel_path: ${path}]`;
}
