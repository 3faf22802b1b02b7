import type { Context } from '../../context.ts';
import type { Fields } from '../../http/bodies/fields.ts';
import { HttpError, notFound, unprocessable } from '../../http/errors.ts';
import { findIssuesById } from '../../issues/find.ts';
import { issueAt } from '../../projects/board.ts';
import { moveCard } from '../../projects/cards.ts';
import { addColumn, deleteColumn, editColumn, moveColumn, setDefaultColumn } from '../../projects/columns.ts';
import type { Project } from '../../projects/find.ts';
import { deleteProject, setProjectClosed } from '../../projects/projects.ts';
import { type Reply, seeOther } from '../page.ts';
import { boardPage } from './board-page.ts';
import { type ProjectsVisit, projectOf, projectsPath, queryOf } from './owner.ts';

type Change = (context: Context, project: Project, fields: Fields) => Promise<unknown>;

/** The changes of a board by the word of the field `do`. */
const CHANGES: Readonly<Record<string, Change>> = {
  open: (context, project) => setProjectClosed(context, project, false),
  close: (context, project) => setProjectClosed(context, project, true),
  delete: deleteProject,
  'add-column': (context, project, fields) => addColumn(context, project, columnFields(fields)),
  'edit-column': (context, project, fields) => editColumn(context, project, idIn(fields, 'column'), columnFields(fields)),
  'default-column': (context, project, fields) => setDefaultColumn(context, project, idIn(fields, 'column')),
  'move-column': (context, project, fields) => moveColumn(context, project, idIn(fields, 'column'), positionIn(fields, 0) ?? 0),
  'delete-column': (context, project, fields) => deleteColumn(context, project, idIn(fields, 'column')),
  'move-card': move,
};

/** Runs the action of a board's form, and shows the board again, with its filter. */
export async function changeBoard(visit: ProjectsVisit, context: Context): Promise<Reply> {
  const { fields, view } = visit;
  const project = await projectOf(visit, context);
  const name = fields.get('do') ?? '';
  const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (!change) throw unprocessable(`[do]: ${name}`);
  try {
    await change(context, project, fields);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return boardPage(visit, context, error.message);
  }
  const next = name === 'delete' ? projectsPath(view, project.owner) : projectsPath(view, project.owner, project.id) + queryOf(visit);
  return seeOther(context, next.slice(view.root.length));
}

/** Moves a card before or after another (fields with the id of its issue), to a position in its column (from 1), or to the end. */
async function move(context: Context, project: Project, fields: Fields): Promise<void> {
  const id = idIn(fields, 'issue');
  const issue = (await findIssuesById(context.db, [id])).get(id);
  if (!issue) throw notFound();
  const columnId = idIn(fields, 'column');
  await moveCard(context, project, issue, { columnId, next: await nextTo(context, project, { id, columnId }, fields) });
}

async function nextTo(context: Context, project: Project, card: { id: number; columnId: number }, fields: Fields) {
  for (const name of ['before', 'after']) {
    if (fields.get(name)) return { issueId: idIn(fields, name), isBefore: name === 'before' };
  }
  const position = positionIn(fields, 1);
  if (position === undefined) return undefined;
  const issueId = await issueAt(context, project, { columnId: card.columnId, without: card.id, position: position - 1 });
  return issueId === undefined ? undefined : { issueId, isBefore: true };
}

function columnFields(fields: Fields) {
  return { title: fields.get('title') ?? '', color: fields.has('colored') ? (fields.get('color') ?? '') : '' };
}

function idIn(fields: Fields, name: string): number {
  const id = Number(fields.get(name));
  if (!Number.isSafeInteger(id) || id <= 0) throw notFound();
  return id;
}

function positionIn(fields: Fields, first: number): number | undefined {
  const given = (fields.get('position') ?? '').trim();
  if (given === '') return undefined;
  const position = Number(given);
  if (!Number.isSafeInteger(position) || position < first || position > 1_000_000) throw unprocessable('[Position]: Range');
  return position;
}
