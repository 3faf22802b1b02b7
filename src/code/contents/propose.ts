import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { copyCommits } from '../../git/objects/copy-objects.ts';
import { inQuarantine } from '../../git/objects/quarantine.ts';
import { branchRef, isValidBranchName } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { forbidden, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { announceCopy } from '../announce-copy.ts';
import { decidePush, pusherOf } from '../protections/decide.ts';
import { withRefErrors } from '../ref-errors.ts';
import { moveRefs } from '../refs-moved.ts';

/** A new branch of a fork. */
export interface ProposedBranch {
  readonly source: Repository;
  /** A branch of the source. */
  readonly from: string;
  /** The new branch of the fork. */
  readonly name: string;
  /** A further commit of the source that the change needs. */
  readonly needed?: string | undefined;
}

/** The caller's own fork of a repository. */
export async function ownFork({ db, actor }: Context, source: Repository): Promise<number | undefined> {
  if (!actor) return undefined;
  const forks = db.selectFrom('repositories').select('id').where('fork_id', '=', source.id).where('owner_id', '=', actor.id);
  return (await forks.where('is_archived', '=', false).executeTakeFirst())?.id;
}

/**
 * Creates a branch of a fork at the commit of a branch of its source, for a proposed change. The caller must be allowed to read the code of
 * the source.
 * @throws HttpError 403 by protections, 404 when there is no such branch, 409, 422 for a name that is taken or invalid
 */
export async function branchFromSource(
  context: Context,
  fork: Repository,
  access: RepositoryAccess,
  { source, from, name, needed }: ProposedBranch,
): Promise<void> {
  const [folder, origin] = [context.git.locate(fork), context.git.locate(source)];
  if (!isValidBranchName(name)) throw unprocessable('[NewBranchName]: GitRefName');
  const want = storedRef(origin, branchRef(from));
  const have = storedRef(folder, branchRef(fork.default_branch));
  if (want === undefined || have === undefined) throw notFoundBecause(`branch does not exist [name: ${from}]`);
  const ref = branchRef(name);
  if (storedRef(folder, ref) !== undefined) throw unprocessable(`branch already exists [name: ${name}]`);
  const none = zeroObjectId(fork.object_format);
  const pusher = await pusherOf(context, fork, context.actor, access);
  await inQuarantine(folder, async (quarantine) => {
    await copyCommits(origin, folder, quarantine, { want, have }, context.settings.git.timeout);
    if (needed !== undefined) await copyCommits(origin, folder, quarantine, { want: needed, have: want }, context.settings.git.timeout);
    const within = { ...folder, quarantine: quarantine.env };
    const refusal = await decidePush(context, fork, within, pusher, [{ ref, before: none, after: want }]);
    if (refusal) throw forbidden(refusal.message);
  });
  await announceCopy(context, { repository: fork, sourceId: source.id, head: want, without: have });
  const move = () => updateRef(folder, { name: ref, to: want, from: null });
  await withRefErrors(() => moveRefs(context, fork, [{ ref, oldId: none, newId: want }], move));
}
