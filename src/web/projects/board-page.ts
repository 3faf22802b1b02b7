import type { Context } from '../../context.ts';
import type { ProjectColumnRow } from '../../database/tables/projects.ts';
import { queryFields } from '../../http/bodies/fields.ts';
import { readPage } from '../../http/paging.ts';
import { picturesOfIssues } from '../../issues/attachments/pictures.ts';
import { presentIssues } from '../../issues/present.ts';
import { type ColumnCards, readBoard } from '../../projects/board.ts';
import { listColumns, MAX_COLUMNS } from '../../projects/columns.ts';
import type { Project } from '../../projects/find.ts';
import { fault } from '../components/fault.ts';
import { actionButton } from '../components/form.ts';
import { pageLinks } from '../components/pages.ts';
import { prose } from '../components/prose.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { cardFilter, type ListChoice } from '../issues/list-choice.ts';

import { described } from '../people/described.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon } from '../view.ts';
import { card } from './card.ts';
import { columnView, newColumn } from './column.ts';
import { boardChoice, boardFilter, boardUrl } from './filter.ts';
import { mayWrite, type ProjectsVisit, projectOf, projectsDocument, projectsPath, queryOf } from './owner.ts';

/** The script that moves cards. */
const SCRIPT = 'board.js';
/** Cards of each column on a page, and of one column on a page of its own. */
const CARDS = 30;
const CARDS_OF_ONE = 100;

/** A board: its columns with the first of their cards, or one column with all of them. */
export async function boardPage(visit: ProjectsVisit, context: Context, problem?: string): Promise<Document> {
  const { view } = visit;
  const { projects: text } = view.text;
  const project = await projectOf(visit, context);
  const own = projectsPath(view, project.owner, project.id);
  // From the URL only: a refused form also has a column, the one that it changes.
  const fields = queryFields(visit.request.url);
  const changeAt = mayWrite(visit) ? `${own}/change${queryOf(visit)}` : undefined;
  const columns = await listColumns(context, project);
  const only = columns.find(({ id }) => String(id) === fields.get('column'));
  const choice = boardChoice(fields);
  const filter = await boardFilter(visit, context, { project, own, choice, column: only?.id });
  const size = only ? CARDS_OF_ONE : CARDS;
  const page = readPage({ page: only ? Number(fields.get('page')) || 1 : 1 }, { defaultSize: size, maxSize: size });
  const cards = await readBoard(context, project, await cardFilter(context, choice), page, only?.id);
  const shown = only ? [only] : columns;
  const total = only ? cards(only.id).open + cards(only.id).closed : 0;
  return projectsDocument(visit, context, {
    title: project.title,
    layout: 'wide',
    scripts: [SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`${head(visit, project, { own, changeAt })}${problem !== undefined && fault(view, problem)}
${project.description !== '' && prose(view, await described(context, project.description), 'board-about')}
<div class="row list-bar">${filter.menus}
${only && html`<a href="${boardUrl(own, choice)}">${text.allColumns}</a>`}${columnTools(visit, columns, changeAt)}</div>
${filter.chosen}
${columns.length === 0 && html`<div class="empty"><p><strong>${text.noColumns}</strong></p><p>${text.noColumnsHint}</p>${changeAt !== undefined && newColumn(view, changeAt)}</div>`}
<div class="board" tabindex="-1" data-moved="${text.moved}">${await columnViews(visit, context, project, { columns, shown, cards, own, changeAt, choice, isOnly: only !== undefined })}</div>
<p class="visually-hidden" role="status" id="board-status"></p>
${only && pageLinks(view, { ...page, total })}`,
  });
}

interface BoardPaths {
  readonly own: string;
  /** The path of changes; undefined for users who may not make them. It contains the filter, so that it stays. */
  readonly changeAt: string | undefined;
}

function head(visit: ProjectsVisit, project: Project, { own, changeAt = '' }: BoardPaths): Html {
  const { view } = visit;
  const { projects: text, common, issues } = view.text;
  const { owner, is_closed: isClosed, title } = project;
  const change = (what: string, label: string, className = '') =>
    actionButton(view, { action: changeAt, label, fields: { do: what }, className });
  const issueForm = 'repository' in owner && visit.access?.canRead('issues') && view.user && !owner.repository.is_archived;
  return html`<div class="row list-bar"><h2 class="issue-heading">${icon(view, 'project')} ${title}</h2>
${isClosed && html`<span class="badge">${issues.state.closed}</span>`}<span class="push row">
${issueForm && html`<a class="button" href="${repositoryPath(view, owner.repository, 'issues/new/choose')}?project=${project.id}">${text.newIssue}</a>`}
${
  changeAt !== '' &&
  html`<a class="button" href="${own}/edit">${common.edit}</a>
${change(isClosed ? 'open' : 'close', isClosed ? text.reopen : text.close)}
<details class="menu"><summary>${common.delete}</summary><ul><li class="menu-text">${text.deleteHint}</li><li>${change('delete', text.deleteProject, 'danger')}</li></ul></details>`
}</span></div>`;
}

function columnTools(visit: ProjectsVisit, columns: readonly ProjectColumnRow[], changeAt: string | undefined): Html | false {
  const { projects: text } = visit.view.text;
  // A board without columns begins with the form for them.
  if (changeAt === undefined || columns.length === 0) return false;
  const tool =
    columns.length >= MAX_COLUMNS ? html`<span class="muted">${text.tooManyColumns(MAX_COLUMNS)}</span>` : newColumn(visit.view, changeAt);
  return html`<span class="push row"><span class="hint with-script drag-hint" hidden>${text.keys}</span>${tool}</span>`;
}

interface Shown extends BoardPaths {
  readonly columns: readonly ProjectColumnRow[];
  /** Those of them that the page has. */
  readonly shown: readonly ProjectColumnRow[];
  readonly cards: (columnId: number) => ColumnCards;
  readonly choice: ListChoice;
  /** Whether the page is about one column. */
  readonly isOnly: boolean;
}

async function columnViews(
  visit: ProjectsVisit,
  context: Context,
  project: Project,
  { columns, shown, cards, own, changeAt, choice, isOnly }: Shown,
): Promise<Html[]> {
  const { view } = visit;
  const { projects: text } = view.text;
  const rows = shown.flatMap(({ id }) => cards(id).issues);
  const presented = new Map((await presentIssues(context, rows)).map((issue) => [issue.id, issue]));
  const images = project.card_type === 'images' ? await picturesOfIssues(context, [...presented.keys()]) : new Map();
  const choices = columns.map(({ id, title }) => [String(id), title] as const);
  return shown.map((column) => {
    const { issues, open, closed } = cards(column.id);
    const total = open + closed;
    const hidden = isOnly ? 0 : total - issues.length;
    return columnView(view, column, {
      changeAt,
      columns,
      total,
      cards: issues.flatMap((issue) => {
        const found = presented.get(issue.id);
        if (!found) return [];
        const options = { moveTo: changeAt, columns: choices, columnId: column.id, images, withRepository: 'account' in project.owner };
        return [card(view, found, options)];
      }),
      more: hidden > 0 && html`<p><a href="${boardUrl(own, choice, column.id)}">${text.more(hidden)}</a></p>`,
    });
  });
}
