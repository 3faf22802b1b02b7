import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';
import { lockIssues } from '../issues/find.ts';
import { lockProjects } from './find.ts';

/** Takes the issues of a transferred repository off the boards of its former owner. */
export async function leaveProjectsOfOwner(
  { repositoryId, oldOwnerId }: Events['repository.transferred'],
  context: Context,
): Promise<void> {
  await lockIssues(context, [repositoryId]);
  const { db } = context;
  const cards = await db
    .selectFrom('project_cards')
    .innerJoin('projects', 'projects.id', 'project_cards.project_id')
    .innerJoin('issues', 'issues.id', 'project_cards.issue_id')
    .select(['project_cards.project_id'])
    .distinct()
    .where('projects.owner_id', '=', oldOwnerId)
    .where('issues.repository_id', '=', repositoryId)
    .execute();
  if (cards.length === 0) return;
  const ids = cards.map(({ project_id: id }) => id);
  await lockProjects(context, ids);
  await db
    .deleteFrom('project_cards')
    .where('project_id', 'in', ids)
    .where('issue_id', 'in', (select) => select.selectFrom('issues').select('issues.id').where('repository_id', '=', repositoryId))
    .execute();
}
