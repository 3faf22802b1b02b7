import type { Repository } from '../access/find-repository.ts';
import { isNone, type PushedCommits, pushedCommits } from '../code/pushed-commits.ts';
import type { Context } from '../context.ts';
import type { Commit } from '../git/objects/commits.ts';
import { identityTime } from '../git/objects/identity.ts';
import { asShown, type RefUpdate } from '../git/refs/ref-update.ts';
import type { NewActivity } from './write.ts';

const TAGS = 'refs/tags/';
/** Bytes; the commits of a push that would take more are left out. */
const MAX_CONTENT = 65_535;

/** The content of an activity for a moved ref. */
export async function activitiesOfMove(
  context: Context,
  repository: Repository,
  { isRename, isMirror, ...update }: RefUpdate & { isRename: boolean; isMirror: boolean },
): Promise<NewActivity[]> {
  const { ref, oldId, newId } = update;
  const isTag = ref.startsWith(TAGS);
  if (isMirror) return await activitiesOfMirror(context, repository, update);
  if (isNone(newId) && !isTag) return [{ type: 'delete_branch', ref }];
  // A new name brings no commits.
  if (isRename) return [{ type: 'commit_repo', ref }];
  const push = await pushedCommits(context, repository, asShown(update));
  if (!push) return [];
  const content = written(push, isTag);
  if (isTag) return [{ type: isNone(newId) ? 'delete_tag' : 'push_tag', ref, content }];
  const moved: NewActivity = { type: 'commit_repo', ref, content };
  return isNone(oldId) ? [{ type: 'commit_repo', ref }, moved] : [moved];
}

/** A tag or branch that came from the repository that this one follows. */
async function activitiesOfMirror(context: Context, repository: Repository, update: RefUpdate): Promise<NewActivity[]> {
  const { ref, oldId, newId } = update;
  if (isNone(newId)) return [{ type: 'mirror_sync_delete', ref }];
  const push = await pushedCommits(context, repository, update);
  const moved: NewActivity = { type: 'mirror_sync_push', ref, content: push ? written(push, ref.startsWith(TAGS)) : '{}' };
  return isNone(oldId) ? [moved, { type: 'mirror_sync_create', ref }] : [moved];
}

/** As JSON that is safe within a page, with the names that clients know. */
function written({ commits, head, compare, total }: PushedCommits, isTag: boolean): string {
  const push = {
    Commits: isTag ? null : commits.map(pushed),
    HeadCommit: head && pushed(head),
    CompareURL: compare,
    Len: total,
  };
  const json = JSON.stringify(push).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.byteLength(json) > MAX_CONTENT ? '{}' : json;
}

function pushed({ oid, message, author, committer }: Commit) {
  return {
    Sha1: oid,
    Message: message,
    AuthorEmail: author.email,
    AuthorName: author.name,
    CommitterEmail: committer.email,
    CommitterName: committer.name,
    Timestamp: identityTime(author),
  };
}
