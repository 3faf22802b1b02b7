import type { Repository } from '../../access/find-repository.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type Changes, commitChanges, withoutRenames } from '../../git/diff/changes.ts';
import type { Commit as GitCommit } from '../../git/objects/commits.ts';
import { type Identity, identityTime, identityTimeUtc } from '../../git/objects/identity.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { joined } from '../../text/joined.ts';
import { type People, peopleOf } from './people.ts';
import type { Commit, CommitUser, PayloadCommit } from './schema.ts';
import { type Signable, type Verification, verifyCommits } from './verify.ts';

/** The parts of commits to include besides the commits themselves; all by default. */
export interface CommitParts {
  stat?: boolean | undefined;
  files?: boolean | undefined;
  verification?: boolean | undefined;
}

/**
 * Commits on the wire, in their order: one query for all the accounts, one request to git for all the changes.
 * @param repository the repository of the commits; URLs name it
 */
export async function presentCommits(
  context: Context,
  repository: Repository,
  commits: readonly GitCommit[],
  parts: CommitParts = {},
): Promise<Shape<typeof Commit>[]> {
  const { stat = true, files = true, verification = true } = parts;
  const people = await peopleOf(context, commits);
  const located = context.git.locate(repository);
  const ids = commits.map(({ oid }) => oid);
  const changes = stat || files ? await commitChanges(located, context.git.pool, ids) : new Map<string, Changes>();
  const verifications = verification ? await verifyCommits(context, commits, people) : [];
  const shown = new Map<User, ReturnType<typeof presentUser>>();
  const present = (email: string) => {
    const user = people.byEmail(email);
    if (!user) return null;
    const known = shown.get(user) ?? presentUser(context, user, null);
    shown.set(user, known);
    return known;
  };
  const apiUrl = repositoryApiUrl(context.settings, repository);
  const htmlUrl = repositoryHtmlUrl(context.settings, repository);
  return commits.map((commit, index) => {
    const url = joined(apiUrl, '/git/commits/', commit.oid);
    const created = identityTime(commit.committer);
    const changed = changes.get(commit.oid);
    return {
      url,
      sha: commit.oid,
      created,
      html_url: joined(htmlUrl, '/commit/', commit.oid),
      commit: {
        url,
        author: presentIdentity(commit.author),
        committer: presentIdentity(commit.committer),
        message: commit.message,
        // The URL of the tree has the commit's id, which also finds it.
        tree: { url: joined(apiUrl, '/git/trees/', commit.oid), sha: commit.oid, created },
        verification: verifications[index] ?? null,
      },
      author: present(commit.author.email),
      committer: present(commit.committer.email),
      parents: commit.parents.map((sha) => ({ url: joined(apiUrl, '/git/commits/', sha), sha, created: wireTime(null) })),
      files: files && changed ? filesOf(changed) : null,
      stats: stat && changed ? statsOf(changed) : null,
    };
  });
}

type AffectedFiles = { filename: string; status: 'added' | 'removed' | 'modified' }[];

/** The presented files of changes, while those are cached: thousands of files take milliseconds each time. */
const shownFiles = new WeakMap<Changes, AffectedFiles>();

function filesOf(changes: Changes): AffectedFiles {
  const shown = shownFiles.get(changes) ?? withoutRenames(changes.files).map(({ path, status }) => ({ filename: path, status }));
  shownFiles.set(changes, shown);
  return shown;
}

/** One commit; see {@link presentCommits}. */
export async function presentCommit(
  context: Context,
  repository: Repository,
  commit: GitCommit,
  parts: CommitParts = {},
): Promise<Shape<typeof Commit>> {
  return only(await presentCommits(context, repository, [commit], parts));
}

/** Commits for pushes, hooks and branches, in their order; without the files that they changed. */
export async function presentPayloadCommits(
  context: Context,
  repository: Repository,
  commits: readonly GitCommit[],
): Promise<Shape<typeof PayloadCommit>[]> {
  const people = await peopleOf(context, commits);
  const verifications = await verifyCommits(context, commits, people);
  const htmlUrl = repositoryHtmlUrl(context.settings, repository);
  return commits.map((commit, index) => ({
    id: commit.oid,
    message: commit.message,
    url: `${htmlUrl}/commit/${commit.oid}`,
    author: payloadUser(commit.author, people),
    committer: payloadUser(commit.committer, people),
    verification: verifications[index] ?? null,
    timestamp: identityTime(commit.author),
    added: null,
    removed: null,
    modified: null,
  }));
}

/** The verification of the signature of one commit or tag. */
export async function presentVerification(context: Context, commit: Signable & Pick<GitCommit, 'author'>): Promise<Verification> {
  return only(await verifyCommits(context, [commit], await peopleOf(context, [commit])));
}

/** A person, with the time in its own time zone. */
export function presentIdentity(identity: Identity): Shape<typeof CommitUser> {
  return { name: identity.name, email: identity.email, date: identityTime(identity) };
}

/** A person, with the time in UTC. */
export function presentIdentityUtc(identity: Identity): Shape<typeof CommitUser> {
  return { name: identity.name, email: identity.email, date: identityTimeUtc(identity) };
}

function payloadUser({ name, email }: Identity, people: People) {
  return { name, email, username: people.byEmail(email)?.name ?? '' };
}

function statsOf({ additions, deletions }: Changes) {
  return { total: additions + deletions, additions, deletions };
}
