import type { Context } from '../../context.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';
import { notFound } from '../../http/errors.ts';
import { findMilestone } from '../../issues/milestones/find.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The milestone that a path names. @throws HttpError 404 */
export async function milestoneOf({ repository, params }: RepositoryVisit, { db }: Context): Promise<MilestoneRow> {
  const id = Number(params.id);
  const found = Number.isSafeInteger(id) ? await findMilestone(db, repository.id, id) : undefined;
  if (!found) throw notFound();
  return found;
}

/** Whether the reader may change milestones. */
export function mayWrite({ access, repository }: RepositoryVisit): boolean {
  return (access.canWrite('issues') || access.canWrite('pulls')) && !repository.is_archived;
}
