import { findUsersById } from '../../access/find-user.ts';
import { findUsersByEmails } from '../../accounts/find-by-email.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { ghost } from '../../accounts/users/ghost.ts';
import { signingFor } from '../../code/signing/signing-for.ts';
import type { Context } from '../../context.ts';
import type { MergeStyle } from '../../database/tables/pulls.ts';
import type { PullsSettings } from '../../database/tables/repositories.ts';
import { listCommits } from '../../git/history/log.ts';
import { cleanMessage } from '../../git/history/messages.ts';
import { type GitMergeStyle, mergeInStyle } from '../../git/merge/merge-styles.ts';
import { amendMessage } from '../../git/merge/pick.ts';
import { readCommit, readCommits } from '../../git/objects/commits.ts';
import { formatIdentity, gitNow, type Signature } from '../../git/objects/format-identity.ts';
import type { Committing } from '../../repositories/signing/committing.ts';
import type { Pull } from '../find.ts';
import type { Sides } from '../mergeability/mergeability.ts';
import { defaultMessage } from './message.ts';
import { mergeSigning } from './signing.ts';
import { addTrailer } from './trailers.ts';

/** Maximum number of commits that are searched for one of the author's. */
const MAX_COMMITS = 1000;

const SWITCHES: Record<MergeStyle, keyof PullsSettings> = {
  merge: 'allowMerge',
  rebase: 'allowRebase',
  'rebase-merge': 'allowRebaseMerge',
  squash: 'allowSquash',
  'fast-forward-only': 'allowFastForwardOnly',
  'manually-merged': 'allowManualMerge',
};

/** Whether a repository allows merging its pull requests in this style. */
export function isAllowedStyle({ issue: { repository } }: Pull, style: MergeStyle): boolean {
  return repository.units.pulls?.[SWITCHES[style]] === true;
}

/**
 * Creates the new commit of the base branch, in the caller's name; no ref is moved.
 * @throws MergeConflictError, UnrelatedHistoriesError, TooManyCommitsError, NotFastForwardError; then nothing has changed
 */
export async function makeMerge(context: Context, pull: Pull, sides: Sides, style: GitMergeStyle, message: string): Promise<string> {
  const { git } = context;
  const { repository } = pull.issue;
  const person = gitSignature(context, signedInActor(context));
  const committing =
    style === 'fast-forward-only'
      ? { committer: person }
      : await signingFor(context, repository, mergeSigning(context, pull, sides), person);
  const credit = style === 'squash' ? await squashed(context, pull, sides, committing, message) : { author: person, message };
  const options = { ...sides, ...committing, ...credit, message: cleanMessage(credit.message), pool: git.pool };
  const commit = await mergeInStyle(git.locate(repository), style, options);
  return style === 'rebase' && commit !== sides.base ? withTemplate(context, pull, commit, committing) : commit;
}

/** The author of a squash is the author of the pull request; trailers say so if somebody else commits it. */
async function squashed(
  context: Context,
  pull: Pull,
  sides: Sides,
  { committer }: Committing,
  message: string,
): Promise<{ author: Signature; message: string }> {
  const author = await squashAuthor(context, pull, sides);
  const identity = formatIdentity(author);
  if (!context.settings.pulls.coCommitterTrailers || formatIdentity(committer) === identity) return { author, message };
  return { author, message: addTrailer(addTrailer(message, 'Co-authored-by', identity), 'Co-committed-by', identity) };
}

/** The author of the pull request as in one of its commits: that e-mail address may differ from the account's. */
async function squashAuthor(context: Context, { issue }: Pull, { base, head }: Sides): Promise<Signature> {
  const { db, git } = context;
  const folder = git.locate(issue.repository);
  const ids = await listCommits(folder, git.pool, { head, exclude: [base] }, { limit: MAX_COMMITS });
  const commits = await readCommits(folder, git.pool, ids);
  const users = await findUsersByEmails(
    context,
    commits.map(({ author }) => author.email),
  );
  const own = commits.find(({ author }) => users.get(author.email.toLowerCase())?.id === issue.author_id)?.author;
  const user = (await findUsersById(db, [issue.author_id])).get(issue.author_id) ?? ghost;
  return own ? { name: own.name || user.name, email: own.email, ...gitNow() } : gitSignature(context, user);
}

/** A template for rebases replaces the message of the last commit. */
async function withTemplate(context: Context, pull: Pull, commit: string, committing: Committing): Promise<string> {
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const made = await readCommit(folder, git.pool, commit);
  const message = await defaultMessage(context, pull, 'rebase', made?.message ?? '');
  if (!message?.title) return commit;
  const text = message.body === '' ? message.title : `${message.title}\n\n${message.body}`;
  return amendMessage(folder, commit, { ...committing, message: cleanMessage(text), objects: git.pool });
}
