import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { cleanMessage } from '../../git/history/messages.ts';
import { newTag, writeObjects } from '../../git/objects/write-objects.ts';
import { isValidTagName, tagRef } from '../../git/refs/ref-names.ts';
import { listRefs } from '../../git/refs/refs.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { describeTag } from '../../git/refs/tags.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import { type GitRepository, zeroObjectId } from '../../git/repository.ts';
import { conflict, forbidden, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { runUpdateHooks } from '../git-hooks/run.ts';
import { decidePush, pusherOf } from '../protections/decide.ts';
import { withRefErrors } from '../ref-errors.ts';
import { moveRefs } from '../refs-moved.ts';
import { missingObject } from '../revision.ts';
import { keepTagDate } from './dates.ts';

/** A new tag. */
export interface NewTag {
  name: string;
  /** A branch, tag or commit; the default branch if left out. */
  target?: string | undefined;
  /** The message of an annotated tag; without one it is a plain ref. */
  message?: string | undefined;
}

/**
 * Creates a tag and returns its commit.
 * @throws HttpError 403, 404 when there is no such target, 409 when there is such a tag, 422
 */
export async function createTag(context: Context, repository: Repository, access: RepositoryAccess, wanted: NewTag): Promise<string> {
  const { name } = wanted;
  const folder = context.git.locate(repository);
  const target = wanted.target || repository.default_branch;
  const commit = await resolveCommit(folder, context.git.pool, target);
  if (commit === undefined) throw notFoundBecause(`target not found: ${missingObject(target)}`);
  if (!isValidTagName(name)) throw unprocessable('[TagName]: GitRefName');
  if (await isTaken(context, folder, name)) throw conflict(`tag already exists [name: ${name}]`);
  await context.events.emit(context, 'tag.creating', { repositoryId: repository.id, tag: name, actorId: actorOf(context, repository) });
  const none = zeroObjectId(repository.object_format);
  await requireAllowed(context, repository, access, { name, before: none, after: commit }, 'create');
  await placeTag(context, repository, { name, commit, message: wanted.message });
  return commit;
}

/**
 * Creates the tag of a commit, once it is known to be allowed; an annotated one if there is a message.
 * @throws HttpError 409 when somebody else was faster or another name conflicts
 */
export async function placeTag(
  context: Context,
  repository: Repository,
  { name, commit, message: given }: { name: string; commit: string; message?: string | undefined },
): Promise<void> {
  const folder = context.git.locate(repository);
  // Like `git tag -m`: without comments; a message of only comments is empty.
  const message = given ? cleanMessage(given, { dropComments: true }) : undefined;
  const object = message === undefined ? undefined : await tagObject(context, folder, name, commit, message);
  const to = object?.oid ?? commit;
  const update = { ref: tagRef(name), oldId: zeroObjectId(repository.object_format), newId: to };
  const updates = [object ? { ...update, commitId: commit } : update];
  const write = async () => {
    if (object) await writeObjects(folder, [object]);
    await runUpdateHooks(context, repository, updates);
  };
  await withRefErrors(() =>
    moveRefs(context, repository, updates, () => updateRef(folder, { name: tagRef(name), from: null, to }, write), {
      asksItself: true,
      together: ({ db }) => keepTagDate(db, repository.id, name, now()),
    }),
  );
}

/** Whether a tag has this name already, ignoring case. */
async function isTaken({ git }: Context, folder: GitRepository, name: string): Promise<boolean> {
  const wanted = tagRef(name).toLowerCase();
  return (await listRefs(folder, git.pool, tagRef(''))).some((ref) => ref.name.toLowerCase() === wanted);
}

/** @throws HttpError 403, 404, 409 when something needs the tag, 422 when it is protected */
export async function deleteTag(context: Context, repository: Repository, access: RepositoryAccess, name: string): Promise<void> {
  const folder = context.git.locate(repository);
  const from = isValidTagName(name) ? storedRef(folder, tagRef(name)) : undefined;
  const event = { repositoryId: repository.id, tag: name, actorId: actorOf(context, repository) };
  // A draft refuses it even before its tag is there.
  await context.events.emit(context, 'tag.deleting', event);
  if (from === undefined) throw notFound();
  const none = zeroObjectId(repository.object_format);
  await requireAllowed(context, repository, access, { name, before: from, after: none }, 'delete');
  const updates = [{ ref: tagRef(name), oldId: from, newId: none }];
  // In memory for who handles the event: git would keep all other writers waiting for the transaction.
  await describeTag(folder, context.git.pool, { name: tagRef(name), oid: from });
  await withRefErrors(() =>
    moveRefs(context, repository, updates, () => updateRef(folder, { name: tagRef(name), from, to: null }), {
      together: (context) => context.events.emit(context, 'tag.deleted', { ...event, objectId: from }),
    }),
  );
}

async function requireAllowed(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { name, before, after }: { name: string; before: string; after: string },
  action: 'create' | 'delete',
): Promise<void> {
  const pusher = await pusherOf(context, repository, context.actor, access);
  const moves = [{ ref: tagRef(name), before, after }];
  const refusal = await decidePush(context, repository, context.git.locate(repository), pusher, moves);
  if (refusal?.reason === 'tag') throw unprocessable(`user not allowed to ${action} protected tag`);
  if (refusal) throw forbidden(refusal.message);
}

async function tagObject(context: Context, folder: GitRepository, name: string, target: string, message: string) {
  if (!context.actor) throw new Error('the tag has no tagger');
  const tagger = gitSignature(context, context.actor);
  return await newTag(folder.objectFormat, { target, targetType: 'commit', name, tagger, message: message.replaceAll('\0', '') });
}

function actorOf({ actor }: Context, repository: Repository): number {
  return actor?.id ?? repository.owner_id;
}
