import type { Generated, Selectable } from 'kysely';

/** The initial columns of a board. */
export type ProjectTemplate = 'none' | 'basic_kanban' | 'bug_triage';
/** What cards show: text, or also images of the issue. */
export type CardType = 'text' | 'images';

/** Boards, of a repository or of an account; one of the two is set. */
export interface ProjectsTable {
  id: Generated<number>;
  repository_id: number | null;
  /** A user or an organization. */
  owner_id: number | null;
  title: string;
  description: Generated<string>;
  /** Not a foreign key: deleted users have ids that are in no table. */
  creator_id: number;
  is_closed: Generated<boolean>;
  template: Generated<ProjectTemplate>;
  card_type: Generated<CardType>;
  closed_at: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

export interface ProjectColumnsTable {
  id: Generated<number>;
  project_id: number;
  title: string;
  /** `#` and six hexadecimal digits; empty for none. */
  color: Generated<string>;
  /** The column of cards without one. */
  is_default: Generated<boolean>;
  sorting: Generated<number>;
  creator_id: number;
  created_at: number;
  updated_at: number;
}

/** An issue on a board; an issue is on one board at most. */
export interface ProjectCardsTable {
  id: Generated<number>;
  issue_id: number;
  project_id: number;
  column_id: number;
  /** The order of cards in a column; equal ones are in the order of their ids. */
  sorting: Generated<number>;
}

export interface ProjectTables {
  projects: ProjectsTable;
  project_columns: ProjectColumnsTable;
  project_cards: ProjectCardsTable;
}

export type ProjectRow = Selectable<ProjectsTable>;
export type ProjectColumnRow = Selectable<ProjectColumnsTable>;
export type ProjectCardRow = Selectable<ProjectCardsTable>;
