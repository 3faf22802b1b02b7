import type { Repository } from '../../access/find-repository.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { readCommits } from '../../git/objects/commits.ts';
import type { Signature } from '../../git/objects/format-identity.ts';
import type { GitRepository } from '../../git/repository.ts';
import { serverKey } from '../../instance/signing/server-key.ts';
import {
  type Committing,
  committingWith,
  firstBroken,
  isPersonRule,
  type PersonRule,
  personRuleHolds,
} from '../../repositories/signing/committing.ts';
import { initialCommitter } from '../../repositories/signing/initial-commit.ts';
import { peopleOf } from '../commits/people.ts';
import { verifyCommits } from '../commits/verify.ts';
import { firstUnverified } from '../protections/pushed.ts';

/** A commit by the server, as the signing rules see it. */
export type ServerCommit =
  /** A change of files; `parent` is its parent, null for the first commit. */
  | { readonly kind: 'contents' | 'wiki'; readonly parent: string | null }
  /** A merge of `head` into `base`, in any style; `approvals` are those that a protection of the branch requires, 0 without one. */
  | { readonly kind: 'merge'; readonly base: string; readonly head: string; readonly approvals: () => Promise<number> };

/** The rules of the settings' group `signing`. */
export type SigningRule = PersonRule | 'parentsigned' | 'basesigned' | 'headsigned' | 'commitssigned' | 'approved';

/** Why a commit is not signed: the server has no key, or a rule is not met. */
export type SigningRefusal = 'nokey' | SigningRule;

/**
 * The committer of a commit that the server makes for `person`, and its signing key: the server's key if every rule of the settings' group
 * `signing` is met. Spread the result into the options of the functions of `git/` that create commits.
 * @param folder where the commits can be read, if not in the repository's own folder: a quarantine, a fork and its source
 */
export async function signingFor(
  context: Context,
  repository: Repository,
  commit: ServerCommit,
  person: Signature,
  folder = context.git.locate(repository),
): Promise<Committing> {
  if (commit.kind === 'contents' && commit.parent === null) return initialCommitter(context, repository, person);
  const key = await serverKey(context.settings);
  if (!key || (await signingRefusal(context, folder, commit))) return { committer: person };
  return committingWith(key, context, repository, person);
}

/** Why the server would not sign a commit for the caller; undefined if it would. */
export async function signingRefusal(context: Context, folder: GitRepository, commit: ServerCommit): Promise<SigningRefusal | undefined> {
  const { signing } = context.settings;
  if (!(await serverKey(context.settings))) return 'nokey';
  const rules: readonly SigningRule[] = commit.kind === 'merge' ? signing.merges : signing[commit.kind];
  return firstBroken(rules, (rule) => holds(context, folder, commit, rule));
}

async function holds(context: Context, folder: GitRepository, commit: ServerCommit, rule: SigningRule): Promise<boolean> {
  if (commit.kind !== 'merge') {
    if (rule === 'parentsigned') return commit.parent === null || isVerified(context, folder, commit.parent);
    return isPersonRule(rule) && personRuleHolds(context, signedInActor(context), rule);
  }
  const { base, head, approvals } = commit;
  if (rule === 'basesigned') return isVerified(context, folder, base);
  if (rule === 'headsigned') return isVerified(context, folder, head);
  if (rule === 'approved') return (await approvals()) > 0;
  if (rule !== 'commitssigned') return isPersonRule(rule) && personRuleHolds(context, signedInActor(context), rule);
  return (await isVerified(context, folder, head)) && (await firstUnverified(context, folder, { before: base, after: head })) === undefined;
}

async function isVerified(context: Context, folder: GitRepository, oid: string): Promise<boolean> {
  const commits = await readCommits(folder, context.git.pool, [oid]);
  const [verification] = await verifyCommits(context, commits, await peopleOf(context, commits));
  return verification?.verified ?? false;
}
