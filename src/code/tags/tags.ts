import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type Commit, readCommit } from '../../git/objects/commits.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { listRefs } from '../../git/refs/refs.ts';
import {
  type AnnotatedTag,
  findTag,
  listTags as listGitTags,
  listTagRefs,
  peel,
  peelToCommit,
  readTag,
  type Tag,
  type TagPage,
} from '../../git/refs/tags.ts';
import { isObjectId } from '../../git/repository.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { unknownObject } from '../git-data/objects.ts';
import { missingObject, wholeId } from '../revision.ts';

const PREFIX = 'refs/tags/';

/** A page of the tags, newest first, and their number. */
export function listTags(context: Context, repository: Repository, page: TagPage): Promise<{ tags: Tag[]; total: number }> {
  return listGitTags(context.git.locate(repository), context.git.pool, page);
}

/** The names of the newest tags, without reading their messages, and the number of all. */
export async function listTagNames({ git }: Context, repository: Repository, limit: number): Promise<{ names: string[]; total: number }> {
  const { refs, total } = await listTagRefs(git.locate(repository), git.pool, { offset: 0, limit });
  return { names: refs.map(({ name }) => name.slice(PREFIX.length)), total };
}

/**
 * The tag of this name.
 * @throws HttpError 404
 */
export async function getTag(context: Context, repository: Repository, name: string): Promise<Tag> {
  const tag = isValidRefName(name) ? await findTag(context.git.locate(repository), context.git.pool, name) : undefined;
  if (!tag) throw notFound(null, `tag doesn't exist: ${name}`);
  return tag;
}

/**
 * The tag object with this id, with its name in the repository and its commit.
 * @throws HttpError 400 if there is no such tag object or no tag names it
 */
export async function getAnnotatedTag(
  context: Context,
  repository: Repository,
  given: string,
): Promise<{ name: string; tag: AnnotatedTag; commit: Commit }> {
  const oid = wholeId(given);
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const tag = isObjectId(oid, located.objectFormat) ? await readTag(located, pool, oid) : undefined;
  const refs = tag ? await listRefs(located, pool, PREFIX) : [];
  const ref = refs.find((one) => one.oid === oid);
  const commitId = tag && (await peelToCommit(located, pool, tag.oid));
  const commit = commitId === undefined ? undefined : await readCommit(located, pool, commitId);
  if (tag && ref && !commit) throw badRequest(missingObject((await peel(located, pool, tag.oid))?.oid ?? tag.target));
  if (!tag || !ref || !commit) throw badRequest(unknownObject(oid));
  return { name: ref.name.slice(PREFIX.length), tag, commit };
}
