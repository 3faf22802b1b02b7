import type { Db } from '../../../../database/database.ts';
import type { ProjectTemplate } from '../../../../database/tables/projects.ts';
import type { Step } from '../../step.ts';

const TEMPLATES: readonly ProjectTemplate[] = ['none', 'basic_kanban', 'bug_triage'];
/** Gitea's number of the boards of a repository (models/project/project.go, `TypeRepository`). */
const OF_REPOSITORY = 2;

/** Boards of repositories and of accounts. */
export const projects: Step = {
  name: 'projects',
  table: 'project',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const accounts = await batch.existingOf('users', rows, 'owner_id');
    for (const row of rows) {
      const ofRepository = row.integer('type') === OF_REPOSITORY;
      if (ofRepository ? !repositories.has(row.integer('repo_id')) : !accounts.has(row.integer('owner_id'))) continue;
      batch.noteCuts(`project ${row.id}`, row);
      batch.add('projects', {
        id: row.id,
        repository_id: ofRepository ? row.integer('repo_id') : null,
        owner_id: ofRepository ? null : row.integer('owner_id'),
        title: row.line('title'),
        description: row.text('description'),
        creator_id: row.integer('creator_id'),
        is_closed: row.flag('is_closed'),
        template: TEMPLATES[row.integer('board_type')] ?? 'none',
        card_type: row.integer('card_type') === 1 ? 'images' : 'text',
        closed_at: row.flag('is_closed') ? row.timeOrNull('closed_date_unix') : null,
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** The columns of boards. */
export const projectColumns: Step = {
  name: 'columns of projects',
  table: 'project_board',
  run: async (rows, batch) => {
    const known = await batch.existingOf('projects', rows, 'project_id');
    for (const row of rows) {
      if (!known.has(row.integer('project_id'))) continue;
      const color = row.line('color').toLowerCase();
      batch.add('project_columns', {
        id: row.id,
        project_id: row.integer('project_id'),
        title: row.line('title'),
        color: /^#[0-9a-f]{6}$/.test(color) ? color : '',
        is_default: row.flag('default'),
        sorting: row.integer('sorting'),
        creator_id: row.integer('creator_id'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** The issues on boards. Those without a column are put into the first one. */
export const projectCards: Step = {
  name: 'cards of projects',
  table: 'project_issue',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const boards = await batch.existingOf('projects', rows, 'project_id');
    const columns = await batch.existingOf('project_columns', rows, 'project_board_id');
    const first = await firstColumns(batch.context.db, [...boards]);
    for (const row of rows) {
      const board = row.integer('project_id');
      if (!issues.has(row.integer('issue_id')) || !boards.has(board)) continue;
      const column = columns.has(row.integer('project_board_id')) ? row.integer('project_board_id') : first.get(board);
      if (column === undefined) batch.note(`project ${board}`, `it has no column: issue ${row.integer('issue_id')} is not on it`);
      else {
        const card = { id: row.id, issue_id: row.integer('issue_id'), project_id: board, column_id: column };
        batch.add('project_cards', { ...card, sorting: row.integer('sorting') });
      }
    }
  },
};

async function firstColumns(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('project_columns')
    .select(['id', 'project_id'])
    .where('project_id', 'in', [...ids])
    .orderBy('is_default')
    .orderBy('sorting', 'desc')
    .orderBy('id', 'desc')
    .execute();
  // The last one of a key wins: the default column, else the first one.
  return new Map(rows.map((row) => [row.project_id, row.id]));
}
