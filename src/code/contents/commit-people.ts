import { gitSignature } from '../../accounts/git-signature.ts';
import type { Context } from '../../context.ts';
import { type GitTime, gitNow, parseRfc3339, type Signature } from '../../git/objects/format-identity.ts';
import { unprocessable } from '../../http/errors.ts';

/** A person in a request. */
export interface PersonInput {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** The author and the committer of a commit, and their dates. */
export interface CommitFields {
  readonly author?: PersonInput | undefined;
  readonly committer?: PersonInput | undefined;
  readonly dates?: { readonly author?: string | undefined; readonly committer?: string | undefined } | undefined;
}

/**
 * The author and the committer of a commit: each as given; missing parts are copied from the other, or from the caller.
 * @throws HttpError 422 for invalid dates
 */
export function commitPeople(context: Context, { author, committer, dates }: CommitFields): { author: Signature; committer: Signature } {
  if (!context.actor) throw new Error('the commit has no committer');
  const caller = gitSignature(context, context.actor);
  const person = (own: PersonInput | undefined, other: PersonInput | undefined) => ({
    name: own?.name || other?.name || caller.name,
    email: own?.email || other?.email || caller.email,
  });
  return {
    author: { ...person(author, committer), ...timeOf('Author', dates?.author) },
    committer: { ...person(committer, author), ...timeOf('Committer', dates?.committer) },
  };
}

function timeOf(field: string, given: string | undefined): GitTime {
  if (!given || given.startsWith('0001-01-01T00:00:00')) return gitNow();
  const time = parseRfc3339(given);
  if (!time) throw unprocessable(`[${field}]: not a date: ${given.slice(0, 100)}`);
  return time;
}
