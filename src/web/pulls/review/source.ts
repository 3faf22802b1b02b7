import { presentUser } from '../../../accounts/users/present.ts';
import type { Context } from '../../../context.ts';
import { presentVersions, type ShownVersion } from '../../../issues/history/present.ts';
import { versionsOf } from '../../../issues/history/versions.ts';
import { findPeople } from '../../../issues/people.ts';
import type { Pull } from '../../../pulls/find.ts';
import type { ReviewWithComments } from '../../../pulls/reviews/of-pull.ts';
import { mayResolve } from '../../../pulls/reviews/resolve.ts';
import { mayApplySuggestions } from '../../../pulls/suggestions/apply.ts';
import type { Conversation } from '../../issues/conversation.ts';

/** The data for threads about lines of code, on any page. */
export interface ThreadSource {
  readonly conversation: Conversation;
  readonly pull: Pull;
  readonly reviews: readonly ReviewWithComments[];
  readonly author: (id: number) => ReturnType<typeof presentUser>;
  /** The histories of edited comments, by their ids. */
  readonly versions: ReadonlyMap<number, readonly ShownVersion[]>;
  readonly mayApply: boolean;
  readonly mayResolve: boolean;
  /** The page that forms redirect to. */
  readonly back: 'files' | '';
}

/** Reads the data for threads. @param reviews those that the user may see */
export async function threadSource(
  context: Context,
  { conversation, pull, reviews, back }: Pick<ThreadSource, 'conversation' | 'pull' | 'reviews' | 'back'>,
): Promise<ThreadSource> {
  const authors = reviews.flatMap(({ comments }) => comments.map(({ author_id: id }) => id));
  const people = await findPeople(context.db, authors, [context.actor]);
  const { canComment, visit } = conversation;
  const hasComments = authors.length > 0;
  const ids = reviews.flatMap(({ comments }) => comments.map(({ id }) => id));
  return {
    ...{ conversation, pull, reviews, back },
    author: (id) => presentUser(context, people(id)),
    versions: hasComments ? await presentVersions(context, await versionsOf(context, pull.issue, ids)) : new Map(),
    mayApply: hasComments && canComment && (await mayApplySuggestions(context, pull)),
    mayResolve: hasComments && canComment && (await mayResolve(context, pull, visit.access)),
  };
}
