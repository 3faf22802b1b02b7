import { findUsersByEmails } from '../../accounts/find-by-email.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Commit } from '../../git/objects/commits.ts';

/** The accounts by the e-mail addresses of commits. */
export interface People {
  /** The account with this e-mail address, case-insensitively; undefined if none has it. */
  byEmail(email: string): User | undefined;
}

/** The accounts of the authors and committers of commits, found with one query for all of them. */
export async function peopleOf(context: Context, commits: readonly Pick<Commit, 'author' | 'committer'>[]): Promise<People> {
  const emails = new Set<string>();
  for (const { author, committer } of commits) emails.add(author.email).add(committer.email);
  const found = await findUsersByEmails(context, emails);
  return { byEmail: (email) => found.get(email.toLowerCase()) };
}
