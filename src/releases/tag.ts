import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { firstClosedTag, pusherOf, tagRules } from '../code/protections/rules.ts';
import { missingObject } from '../code/revision.ts';
import { placeTag } from '../code/tags/change.ts';
import { findTagDate } from '../code/tags/dates.ts';
import type { Context } from '../context.ts';
import { isValidTagName, tagRef } from '../git/refs/ref-names.ts';
import { resolveCommit } from '../git/refs/revisions.ts';
import { storedRef } from '../git/refs/stored-refs.ts';
import { describeTag, findTag, type Tag } from '../git/refs/tags.ts';
import { notFoundBecause, unprocessable } from '../http/errors.ts';

/** @throws HttpError 422 for a name that no tag can have */
export function requireTagName(name: string): void {
  if (!isValidTagName(name)) throw unprocessable(`release tag name is not valid [tag_name: ${name}]`);
}

/** Whether there is such a tag now. */
export function hasTag({ git }: Pick<Context, 'git'>, repository: Repository, name: string): boolean {
  return storedRef(git.locate(repository), tagRef(name)) !== undefined;
}

/**
 * Makes the tag of a release. That takes the right to write releases, not to write code, and those on the lists of the rules that
 * protect the tag.
 * @throws HttpError 404 when there is no such target, 409, 422 for a protected tag
 */
export async function makeReleaseTag(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { name, target, message }: { name: string; target: string; message?: string | undefined },
): Promise<void> {
  const pusher = await pusherOf(context, repository, context.actor, access);
  if ((await firstClosedTag(context, await tagRules(context.db, repository.id), [name], pusher)) !== undefined) {
    throw unprocessable(`release tag name is protected [tag_name: ${name}]`);
  }
  const wanted = target || repository.default_branch;
  const commit = await resolveCommit(context.git.locate(repository), context.git.pool, wanted);
  if (commit === undefined) throw notFoundBecause(`target "${wanted}" not found: ${missingObject(wanted)}`);
  await placeTag(context, repository, { name, commit, message });
}

/** When a tag was made: by a request, else the tagger's time, else that of the author of its commit. Seconds; undefined if none is there. */
export async function tagTime({ db, git }: Pick<Context, 'db' | 'git'>, repository: Repository, name: string): Promise<number | undefined> {
  return (await findTagDate(db, repository.id, name)) ?? timeOf(await findTag(git.locate(repository), git.pool, name));
}

/** {@link tagTime} of a tag that a push puts on this object, whatever becomes of the tag. */
export async function tagTimeAt(
  { git }: Pick<Context, 'git'>,
  repository: Repository,
  { name, oid }: { name: string; oid: string },
): Promise<number | undefined> {
  return timeOf(await describeTag(git.locate(repository), git.pool, { name: tagRef(name), oid }));
}

function timeOf(tag: Tag | undefined): number | undefined {
  const seconds = tag?.annotated?.tagger.seconds || tag?.commit?.author.seconds;
  // The commit determines the time: one beyond the range of dates is ignored.
  return seconds !== undefined && Math.abs(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** The end of the year 9999: the last time that RFC 3339 can represent. */
const MAX_SECONDS = 253_402_300_799;
