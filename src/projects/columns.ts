import { sql } from 'kysely';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { ProjectColumnRow, ProjectRow, ProjectTemplate } from '../database/tables/projects.ts';
import { notFound, unprocessable } from '../http/errors.ts';
import { changingProject, type Project } from './find.ts';

/** Columns of a board at most. */
export const MAX_COLUMNS = 20;
/** Length limit of the title of a column in characters. */
export const MAX_COLUMN_TITLE = 255;

/** The columns after the first one, which is the default column. */
const TEMPLATES: Readonly<Record<ProjectTemplate, readonly string[]>> = {
  none: [],
  basic_kanban: ['To Do', 'In Progress', 'Done'],
  bug_triage: ['Needs Triage', 'High Priority', 'Low Priority', 'Closed'],
};

/** Gives a new board the columns of its template. */
export async function addFirstColumns({ db }: Context, project: ProjectRow): Promise<void> {
  const titles = TEMPLATES[project.template];
  if (titles.length === 0) return;
  const { id: project_id, creator_id, created_at } = project;
  await db
    .insertInto('project_columns')
    .values(
      ['Backlog', ...titles].map((title, sorting) => ({
        ...{ project_id, title, sorting, is_default: sorting === 0 },
        ...{ creator_id, created_at, updated_at: created_at },
      })),
    )
    .execute();
}

/** The columns of a board in their order. */
export async function listColumns({ db }: Context, { id }: Pick<ProjectRow, 'id'>): Promise<ProjectColumnRow[]> {
  return db.selectFrom('project_columns').selectAll().where('project_id', '=', id).orderBy('sorting').orderBy('id').execute();
}

/**
 * The column of this id on a board.
 * @throws HttpError 404
 */
export async function columnOf({ db }: Context, project: Pick<ProjectRow, 'id'>, id: number): Promise<ProjectColumnRow> {
  const row = Number.isSafeInteger(id)
    ? await db.selectFrom('project_columns').selectAll().where('id', '=', id).where('project_id', '=', project.id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** The default column for new cards: the chosen one, else the first, else a new one. The caller holds the lock of the board. */
export async function defaultColumn(context: Context, project: ProjectRow): Promise<ProjectColumnRow> {
  const columns = await listColumns(context, project);
  const chosen = columns.find(({ is_default: isDefault }) => isDefault) ?? columns[0];
  return chosen ?? insertColumn(context, project, { title: 'Uncategorized', color: '', is_default: true, sorting: 0 });
}

/** The input fields of a column. */
export interface ColumnFields {
  readonly title: string;
  /** `#` and six hexadecimal digits; empty for none. */
  readonly color: string;
}

/**
 * Adds a column after the others. The first one is the default for new cards.
 * @throws HttpError 422
 */
export async function addColumn(context: Context, project: Project, fields: ColumnFields): Promise<ProjectColumnRow> {
  const checked = checkedFields(fields);
  return changingProject(context, project, async (context, project) => {
    const columns = await listColumns(context, project);
    if (columns.length >= MAX_COLUMNS) throw unprocessable(`[Columns]: a board has at most ${MAX_COLUMNS} columns`);
    const sorting = (columns.at(-1)?.sorting ?? -1) + 1;
    return insertColumn(context, project, { ...checked, is_default: columns.length === 0, sorting });
  });
}

async function insertColumn(
  context: Context,
  project: ProjectRow,
  column: Pick<ProjectColumnRow, 'title' | 'color' | 'is_default' | 'sorting'>,
): Promise<ProjectColumnRow> {
  const at = now();
  return context.db
    .insertInto('project_columns')
    .values({ ...column, project_id: project.id, creator_id: context.actor?.id ?? project.creator_id, created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Changes the title and the colour of a column.
 * @throws HttpError 404, 422
 */
export async function editColumn(context: Context, project: Project, id: number, fields: ColumnFields): Promise<void> {
  const checked = checkedFields(fields);
  await changingColumn(context, project, id, async ({ db }) => {
    await db
      .updateTable('project_columns')
      .set({ ...checked, updated_at: now() })
      .where('id', '=', id)
      .execute();
  });
}

/** Makes a column the default for new cards. */
export async function setDefaultColumn(context: Context, project: Project, id: number): Promise<void> {
  await changingColumn(context, project, id, async ({ db }, project) => {
    await db
      .updateTable('project_columns')
      .set({ is_default: sql<boolean>`id = ${id}` })
      .where('project_id', '=', project.id)
      .execute();
  });
}

/**
 * Moves a column to a position among the others, from 0 on.
 * @throws HttpError 404
 */
export async function moveColumn(context: Context, project: Project, id: number, position: number): Promise<void> {
  await changingColumn(context, project, id, async (context, project) => {
    const others = (await listColumns(context, project)).map((column) => column.id).filter((other) => other !== id);
    const ordered = others.toSpliced(Math.max(0, Math.min(position, others.length)), 0, id);
    for (const [sorting, column] of ordered.entries()) {
      await context.db.updateTable('project_columns').set({ sorting }).where('id', '=', column).execute();
    }
  });
}

/**
 * Deletes a column; its cards go to the end of the default column, which cannot be deleted.
 * @throws HttpError 404, 422
 */
export async function deleteColumn(context: Context, project: Project, id: number): Promise<void> {
  await changingColumn(context, project, id, async (context, project, column) => {
    const target = await defaultColumn(context, project);
    if (target.id === column.id) throw unprocessable('[Column]: the default column cannot be deleted');
    const { db } = context;
    const last = await lastSorting(context, target.id);
    const { first } = await db
      .selectFrom('project_cards')
      .select((select) => select.fn.min<number | null>('sorting').as('first'))
      .where('column_id', '=', column.id)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('project_cards')
      .set({ column_id: target.id, sorting: sql<number>`sorting - ${first ?? 0} + ${last + 1}` })
      .where('column_id', '=', column.id)
      .execute();
    await db.deleteFrom('project_columns').where('id', '=', column.id).execute();
  });
}

/** The number of the last card of a column; -1 if there is none. */
export async function lastSorting({ db }: Context, columnId: number): Promise<number> {
  const { last } = await db
    .selectFrom('project_cards')
    .select((select) => select.fn.max<number | null>('sorting').as('last'))
    .where('column_id', '=', columnId)
    .executeTakeFirstOrThrow();
  return last === null ? -1 : Number(last);
}

async function changingColumn(
  context: Context,
  project: Project,
  id: number,
  change: (context: Context, project: Project, column: ProjectColumnRow) => Promise<void>,
): Promise<void> {
  signedInActor(context);
  await changingProject(context, project, async (context, project) => change(context, project, await columnOf(context, project, id)));
}

function checkedFields({ title, color }: ColumnFields): ColumnFields {
  const trimmed = title.trim();
  if (trimmed === '') throw unprocessable('[Title]: Required');
  if ([...trimmed].length > MAX_COLUMN_TITLE) throw unprocessable('[Title]: MaxSize');
  if (color !== '' && !/^#[0-9a-f]{6}$/i.test(color)) throw unprocessable('[Color]: #rrggbb');
  return { title: trimmed, color: color.toLowerCase() };
}
