import { sql } from 'kysely';
import { repositoryAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import type { Context } from '../context.ts';
import type { ProjectCardRow } from '../database/tables/projects.ts';
import { locked, notFound, unprocessable } from '../http/errors.ts';
import { canReadIssue, changingIssue, type Issue } from '../issues/find.ts';
import { addEvent } from '../issues/timeline/events.ts';
import { showsProjects } from './access.ts';
import { columnOf, defaultColumn, lastSorting } from './columns.ts';
import { findProjects, lockProjects, type Project } from './find.ts';

/** The card of an issue. */
export async function cardOf({ db }: Context, issueId: number): Promise<ProjectCardRow | undefined> {
  return db.selectFrom('project_cards').selectAll().where('issue_id', '=', issueId).executeTakeFirst();
}

/** Whether issues of the repository can be put on the board: it is the repository's own, or its owner's. */
export function takesIssuesOf({ owner }: Project, repository: Issue['repository']): boolean {
  if ('repository' in owner) return owner.repository.id === repository.id;
  return owner.account.id === repository.owner_id && showsProjects(repository, 'owner');
}

/**
 * Puts an issue at the end of the default column of a board, or takes it off every board with null. Whether the caller may see the board
 * is checked before.
 * @throws HttpError 422 for a board of another owner
 */
export async function setProject(context: Context, issue: Issue, project: Project | null): Promise<void> {
  if (project && !takesIssuesOf(project, issue.repository)) throw unprocessable('[Project]: belongs to somebody else');
  await changingIssue(context, issue, async (context, issue) => {
    const before = await cardOf(context, issue.id);
    if ((before?.project_id ?? null) === (project?.id ?? null)) return;
    const { db } = context;
    await lockProjects(
      context,
      [before?.project_id, project?.id].flatMap((id) => id ?? []),
    );
    await db.deleteFrom('project_cards').where('issue_id', '=', issue.id).execute();
    if (project) {
      const present = (await findProjects(context, [project.id])).get(project.id);
      if (!present) throw notFound();
      const { id: column_id } = await defaultColumn(context, present);
      const sorting = (await lastSorting(context, column_id)) + 1;
      await db.insertInto('project_cards').values({ issue_id: issue.id, project_id: project.id, column_id, sorting }).execute();
    }
    await addEvent(context, issue, 'project', { old_project_id: before?.project_id ?? null, project_id: project?.id ?? null });
  });
}

/** Where a card goes. */
export interface CardTarget {
  readonly columnId: number;
  /** The issue whose card it comes before, or after; the end of the column when left out, or when that card is not there any more. */
  readonly next?: { readonly issueId: number; readonly isBefore: boolean } | undefined;
}

/**
 * Moves the card of an issue to a position on its board.
 * @throws HttpError 404 where the issue is not on the board, or the caller may not read it; 423 in an archived repository
 */
export async function moveCard(context: Context, project: Project, issue: Issue, { columnId, next }: CardTarget): Promise<void> {
  const access = await repositoryAccess(context, issue.repository, context.actor);
  if (!canReadIssue(access, issue)) throw notFound();
  if (issue.repository.is_archived) throw locked(`${fullName(issue.repository)} is archived`);
  await changingIssue(context, issue, async (context, issue) => {
    await lockProjects(context, [project.id]);
    const card = await cardOf(context, issue.id);
    if (card?.project_id !== project.id) throw notFound();
    const column = await columnOf(context, project, columnId);
    const sorting = await roomIn(context, column.id, issue.id, next);
    await context.db.updateTable('project_cards').set({ column_id: column.id, sorting }).where('id', '=', card.id).execute();
    if (card.column_id === column.id) return;
    await addEvent(context, issue, 'project_board', { project_id: project.id, project_column: column.title });
  });
}

/** Makes room beside a card, and returns the free number there. Cards may share a number: then their ids determine the order. */
async function roomIn(context: Context, columnId: number, issueId: number, next: CardTarget['next']): Promise<number> {
  const { db } = context;
  const beside = next === undefined || next.issueId === issueId ? undefined : await cardOf(context, next.issueId);
  if (next === undefined || beside?.column_id !== columnId) return (await lastSorting(context, columnId)) + 1;
  const { sorting, id } = beside;
  await db
    .updateTable('project_cards')
    .set({ sorting: sql<number>`sorting + 2` })
    .where('column_id', '=', columnId)
    .where((where) =>
      where.or([where('sorting', '>', sorting), where.and([where('sorting', '=', sorting), where('id', next.isBefore ? '>=' : '>', id)])]),
    )
    .execute();
  return sorting + 1;
}
