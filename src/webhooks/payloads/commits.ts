import type { Repository } from '../../access/find-repository.ts';
import { peopleOf } from '../../code/commits/people.ts';
import type { Context } from '../../context.ts';
import { commitChanges, withoutRenames } from '../../git/diff/changes.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { type Identity, identityTime } from '../../git/objects/identity.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';

/** Names of files that a payload lists of one commit in each of the lists. */
const MAX_FILES = 3000;

/** Commits in a payload, in their order, with the files that they changed; pushes do not show whether they are signed. */
export async function payloadCommits(context: Context, repository: Repository, commits: readonly Commit[]) {
  const people = await peopleOf(context, commits);
  const ids = commits.map(({ oid }) => oid);
  const changes = await commitChanges(context.git.locate(repository), context.git.pool, ids);
  const person = ({ name, email }: Identity) => ({ name, email, username: people.byEmail(email)?.name ?? '' });
  return commits.map((commit) => {
    const files = withoutRenames(changes.get(commit.oid)?.files ?? []);
    const paths = (status: string) => files.flatMap((file) => (file.status === status ? [file.path] : [])).slice(0, MAX_FILES);
    return {
      id: commit.oid,
      message: commit.message,
      url: `${repositoryHtmlUrl(context.settings, repository)}/commit/${commit.oid}`,
      author: person(commit.author),
      committer: person(commit.committer),
      verification: null,
      timestamp: identityTime(commit.author),
      added: paths('added'),
      removed: paths('removed'),
      modified: paths('modified'),
    };
  });
}
