import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { findPullOfIssue, type Pull, pullOf } from '../../pulls/find.ts';
import type { ActionInput } from '../issues/action.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The pull request that a form is about. @throws HttpError 404 */
export async function pullIn({ issue }: ActionInput, { db }: Context): Promise<Pull> {
  const pull = await findPullOfIssue(db, issue);
  if (!pull) throw notFound();
  return pull;
}

/** The pull request of a path. @throws HttpError 404 */
export function pullOfVisit({ repository, access, params }: RepositoryVisit, context: Context): Promise<Pull> {
  return pullOf({ repository, access, params: { index: params.index ?? '' } }, context);
}
