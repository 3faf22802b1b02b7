import { sql } from 'kysely';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { containsLiterally } from '../database/contains.ts';
import type { CardType, ProjectRow, ProjectTemplate } from '../database/tables/projects.ts';
import { unprocessable } from '../http/errors.ts';
import { type Page, totalOf } from '../http/paging.ts';
import { addFirstColumns } from './columns.ts';
import { changingProject, type Project, type ProjectOwner, projectOwnerColumns } from './find.ts';

/** Characters of a title; more are refused. */
export const MAX_TITLE = 255;
/** Length limit of a description in characters. */
export const MAX_DESCRIPTION = 65_536;

/** The orders of a list of boards. */
export const PROJECT_ORDERS = ['newest', 'oldest', 'recentupdate', 'leastupdate', 'alphabetically', 'reversealphabetically'] as const;
export type ProjectOrder = (typeof PROJECT_ORDERS)[number];

const COLUMNS = {
  newest: ['created_at', 'desc'],
  oldest: ['created_at', 'asc'],
  recentupdate: ['updated_at', 'desc'],
  leastupdate: ['updated_at', 'asc'],
  alphabetically: ['title', 'asc'],
  reversealphabetically: ['title', 'desc'],
} as const;

/** Which boards a list shows; undefined means any. */
export interface ProjectFilter {
  readonly isClosed?: boolean | undefined;
  /** In the title, ignoring case. */
  readonly words?: string | undefined;
}

/** The boards of an owner or repository that match, and their total number. */
export async function listProjects(
  { db }: Context,
  owner: ProjectOwner,
  { isClosed, words = '' }: ProjectFilter,
  page: Page,
  order: ProjectOrder = 'newest',
): Promise<{ projects: Project[]; total: number }> {
  const { repository_id: repositoryId, owner_id: ownerId } = projectOwnerColumns(owner);
  const matching = db
    .selectFrom('projects')
    .where(repositoryId === null ? 'owner_id' : 'repository_id', '=', repositoryId ?? ownerId)
    .$if(isClosed !== undefined, (projects) => projects.where('is_closed', '=', isClosed ?? false))
    .$if(words !== '', (projects) => projects.where(containsLiterally(sql`title`, words)));
  const [column, direction] = COLUMNS[order];
  const rows = await matching
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const count = () => matching.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { projects: rows.map((row) => ({ ...row, owner })), total: await totalOf(page, rows, count) };
}

/** The input fields of a board. */
export interface ProjectFields {
  readonly title: string;
  readonly description: string;
  readonly cardType: CardType;
}

/**
 * Creates a board with the columns of its template.
 * @throws HttpError 422
 */
export async function createProject(
  context: Context,
  owner: ProjectOwner,
  fields: ProjectFields & { template: ProjectTemplate },
): Promise<Project> {
  const checked = columnsOf(fields);
  return inTransaction(context, async (context) => {
    const at = now();
    const row = await context.db
      .insertInto('projects')
      .values({
        ...projectOwnerColumns(owner),
        ...checked,
        template: fields.template,
        creator_id: signedInActor(context).id,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await addFirstColumns(context, row);
    return { ...row, owner };
  });
}

/**
 * Changes a board.
 * @throws HttpError 422
 */
export async function editProject(context: Context, project: Project, fields: ProjectFields): Promise<void> {
  await set(context, project, columnsOf(fields));
}

/** Closes a board, or opens it again. */
export async function setProjectClosed(context: Context, project: Project, isClosed: boolean): Promise<void> {
  if (project.is_closed === isClosed) return;
  await set(context, project, { is_closed: isClosed, closed_at: isClosed ? now() : null });
}

/** Deletes a board. Its issues stay, on no board. */
export async function deleteProject(context: Context, project: Project): Promise<void> {
  await changingProject(context, project, async ({ db }, { id }) => {
    await db.deleteFrom('projects').where('id', '=', id).execute();
  });
}

async function set(context: Context, project: Project, changes: Partial<ProjectRow>): Promise<void> {
  await changingProject(context, project, async ({ db }, { id }) => {
    await db
      .updateTable('projects')
      .set({ ...changes, updated_at: now() })
      .where('id', '=', id)
      .execute();
  });
}

function columnsOf({ title, description, cardType }: ProjectFields) {
  const trimmed = title.trim();
  if (trimmed === '') throw unprocessable('[Title]: Required');
  if ([...trimmed].length > MAX_TITLE) throw unprocessable('[Title]: MaxSize');
  if (description.length > MAX_DESCRIPTION) throw unprocessable('[Description]: MaxSize');
  return { title: trimmed, description, card_type: cardType };
}
