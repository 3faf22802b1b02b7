import type { Context } from '../context.ts';
import type { RefUpdate } from '../events/events.ts';
import { type Commit, readCommit, readCommits } from '../git/commits.ts';
import { identityTime } from '../git/identity.ts';
import { commitsOfBranchAlone, countCommits, listCommits } from '../git/log.ts';
import { peelToCommit } from '../git/tags.ts';
import type { Repository } from '../repositories/find.ts';
import type { NewActivity } from './write.ts';

const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';
/** Commits that count of a new branch. */
const COMMITS_OF_NEW_BRANCH = 10;
/** Bytes; the commits of a push that would take more are left out. */
const MAX_CONTENT = 65_535;

/** A push as feeds hold it; the names are those that clients know. */
interface Push {
  Commits: PushedCommit[] | null;
  HeadCommit: PushedCommit | null;
  /** Where the commits can be compared, relative to the instance. */
  CompareURL: string;
  /** How many there are, also where fewer are listed. */
  Len: number;
}

interface PushedCommit {
  Sha1: string;
  Message: string;
  AuthorEmail: string;
  AuthorName: string;
  CommitterEmail: string;
  CommitterName: string;
  /** RFC 3339, in the author's zone. */
  Timestamp: string;
}

/** What feeds tell of a ref that has moved. */
export async function activitiesOfMove(context: Context, repository: Repository, update: RefUpdate): Promise<NewActivity[]> {
  const { ref, oldId, newId } = update;
  if (ref.startsWith(TAGS)) return tagMoved(context, repository, update);
  if (!ref.startsWith(BRANCHES)) return [];
  if (isNone(newId)) return [{ type: 'delete_branch', ref }];
  const head = await readCommit(context.git.locate(repository), context.git.pool, newId);
  if (!head) return [];
  const push = isNone(oldId) ? await newBranch(context, repository, update, head) : await movedBranch(context, repository, update, head);
  const moved: NewActivity = { type: 'commit_repo', ref, content: written(push) };
  return isNone(oldId) ? [{ type: 'commit_repo', ref }, moved] : [moved];
}

async function tagMoved({ git }: Context, repository: Repository, { ref, newId }: RefUpdate): Promise<NewActivity[]> {
  const empty: Push = { Commits: null, HeadCommit: null, CompareURL: '', Len: 0 };
  if (isNone(newId)) return [{ type: 'delete_tag', ref, content: written(empty) }];
  const place = git.locate(repository);
  const id = await peelToCommit(place, git.pool, newId);
  const commit = id && (await readCommit(place, git.pool, id));
  if (!commit) return [];
  const compare = compareAddress(repository, '0'.repeat(newId.length), newId);
  return [{ type: 'push_tag', ref, content: written({ ...empty, HeadCommit: pushed(commit), CompareURL: compare }) }];
}

async function newBranch({ git, settings }: Context, repository: Repository, { ref, newId }: RefUpdate, head: Commit): Promise<Push> {
  const place = git.locate(repository);
  const branch = ref.slice(BRANCHES.length);
  const ids = await commitsOfBranchAlone(place, git.pool, { branch, head: newId }, COMMITS_OF_NEW_BRANCH);
  const commits = await readCommits(place, git.pool, ids);
  const before = commits.at(-1)?.parents[0] ?? (branch === repository.default_branch ? undefined : repository.default_branch);
  return {
    Commits: commits.slice(0, settings.ui.feedCommits).map(pushed),
    HeadCommit: pushed(head),
    CompareURL: before === undefined ? '' : compareAddress(repository, before, newId),
    Len: commits.length,
  };
}

async function movedBranch({ git, settings }: Context, repository: Repository, { oldId, newId }: RefUpdate, head: Commit): Promise<Push> {
  const place = git.locate(repository);
  const history = { head: newId, exclude: [oldId] };
  const ids = await listCommits(place, git.pool, history, { limit: settings.ui.feedCommits });
  return {
    Commits: (await readCommits(place, git.pool, ids)).map(pushed),
    HeadCommit: pushed(head),
    CompareURL: compareAddress(repository, oldId, newId),
    Len: ids.length < settings.ui.feedCommits ? ids.length : await countCommits(place, git.pool, history),
  };
}

function isNone(id: string): boolean {
  return /^0+$/.test(id);
}

function pushed({ oid, message, author, committer }: Commit): PushedCommit {
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

function compareAddress({ owner, name }: Repository, from: string, to: string): string {
  const branch = from.split('/').map(encodeURIComponent).join('/');
  return `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}/compare/${branch}...${to}`;
}

/** As JSON that is safe within a page, as clients know it. */
function written(push: Push): string {
  const json = JSON.stringify(push).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.byteLength(json) > MAX_CONTENT ? '{}' : json;
}
