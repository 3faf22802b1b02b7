import { findUsersById } from '../../accounts/find.ts';
import { findUsersByEmails } from '../../accounts/find-by-email.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { signedInDoer } from '../../accounts/sign-in/doer.ts';
import { ghost } from '../../accounts/users/ghost.ts';
import { signingFor } from '../../code/signing/signing-for.ts';
import type { Context } from '../../context.ts';
import type { MergeStyle } from '../../database/tables/pulls.ts';
import type { PullsSettings } from '../../database/tables/repositories.ts';
import { readCommit, readCommits } from '../../git/commits.ts';
import { formatIdentity, gitNow, type Signature } from '../../git/format-identity.ts';
import { isAncestor, listCommits } from '../../git/log.ts';
import { mergeCommit, NotFastForwardError, squash } from '../../git/merge.ts';
import { amendMessage, rebaseCommits } from '../../git/pick.ts';
import { writeCommit } from '../../git/write-objects.ts';
import type { Committing } from '../../repositories/signing/committing.ts';
import type { Pull } from '../find.ts';
import type { Sides } from '../mergeability/mergeability.ts';
import { defaultMessage } from './message.ts';
import { mergeSigning } from './signing.ts';
import { addTrailer, cleanMessage } from './trailers.ts';

/** The ways to merge that make the commit to put the branch on. */
export type MakingStyle = Exclude<MergeStyle, 'manually-merged'>;

/** Commits that are looked through for one of the author's own. */
const MAX_COMMITS = 1000;

const SWITCHES: Record<MergeStyle, keyof PullsSettings> = {
  merge: 'allowMerge',
  rebase: 'allowRebase',
  'rebase-merge': 'allowRebaseMerge',
  squash: 'allowSquash',
  'fast-forward-only': 'allowFastForwardOnly',
  'manually-merged': 'allowManualMerge',
};

/** Whether a repository lets its pull requests be merged in this style. */
export function isAllowedStyle({ issue: { repository } }: Pull, style: MergeStyle): boolean {
  return repository.units.pulls?.[SWITCHES[style]] === true;
}

/**
 * Makes the commit that the base branch is to stand on, in the caller's name; no ref is moved.
 * @throws MergeConflictError, UnrelatedHistoriesError, TooManyCommitsError, NotFastForwardError; then nothing is left
 */
export async function makeMerge(context: Context, pull: Pull, sides: Sides, style: MakingStyle, message: string): Promise<string> {
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const { base, head } = sides;
  if (style === 'fast-forward-only') {
    if (!(await isAncestor(folder, git.pool, base, head))) throw new NotFastForwardError(`${head} is not ahead of ${base}`);
    return head;
  }
  const person = gitSignature(context, signedInDoer(context));
  const committing = await signingFor(context, pull.issue.repository, mergeSigning(context, pull, sides), person);
  const author = person;
  if (style === 'merge') return mergeCommit(folder, { into: base, from: head, author, ...committing, message: cleanMessage(message) });
  if (style === 'squash') return makeSquash(context, pull, sides, committing, message);
  const { head: rebased } = await rebaseCommits(folder, head, { onto: base, ...committing, objects: git.pool });
  // All of it is there already.
  if (rebased === base) return base;
  if (style === 'rebase') return withTemplate(context, pull, rebased, committing);
  const tree = (await readCommit(folder, git.pool, rebased))?.tree ?? '';
  const { committer, sign } = committing;
  return writeCommit(folder, { tree, parents: [base, rebased], author, committer, message: cleanMessage(message) }, sign);
}

async function makeSquash(context: Context, pull: Pull, { base, head }: Sides, committing: Committing, message: string): Promise<string> {
  const { git, settings } = context;
  const author = await squashAuthor(context, pull, { base, head });
  const identity = formatIdentity(author);
  let text = message;
  if (settings.pulls.coCommitterTrailers && formatIdentity(committing.committer) !== identity) {
    text = addTrailer(addTrailer(text, 'Co-authored-by', identity), 'Co-committed-by', identity);
  }
  const options = { into: base, from: head, author, ...committing, message: cleanMessage(text) };
  return squash(git.locate(pull.issue.repository), options);
}

/** Who opened the pull request, as one of its commits has it: that address may be another than the one an account shows. */
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

/** A template for rebases gives the last commit another message. */
async function withTemplate(context: Context, pull: Pull, commit: string, committing: Committing): Promise<string> {
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const made = await readCommit(folder, git.pool, commit);
  const message = await defaultMessage(context, pull, 'rebase', made?.message ?? '');
  if (!message?.title) return commit;
  const text = message.body === '' ? message.title : `${message.title}\n\n${message.body}`;
  return amendMessage(folder, commit, { ...committing, message: cleanMessage(text), objects: git.pool });
}
