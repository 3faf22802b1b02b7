import { GHOST_ID } from '../accounts/users/ghost.ts';
import type { Context } from '../context.ts';
import type { IssueEvent } from '../events/events.ts';
import type { Issue } from './find.ts';

/** The payload of every event about an issue. */
export function issueEvent(
  { actor }: Pick<Context, 'actor'>,
  issue: Pick<Issue, 'id' | 'repository_id' | 'isNew' | 'amid'> & Partial<Pick<Issue, 'is_pull'>>,
): IssueEvent {
  const isNew = issue.isNew && { isNew: true as const };
  const amid = issue.amid && { amid: issue.amid };
  const kind = issue.is_pull === false && { isPull: false as const };
  return { repositoryId: issue.repository_id, issueId: issue.id, actorId: actor?.id ?? GHOST_ID, ...kind, ...isNew, ...amid };
}
