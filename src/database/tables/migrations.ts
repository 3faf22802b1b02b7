import type { Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** The state of a migration; those in `waiting` and `running` have a job. */
export type MigrationState = 'waiting' | 'running' | 'finished' | 'failed' | 'cancelled';

/** The steps of a migration, in their order. */
export type MigrationStep = 'git' | 'topics' | 'milestones' | 'labels' | 'releases' | 'issues' | 'pulls' | 'end';

/** Completed progress: the next attempt deletes what an interrupted one wrote after it. */
export interface MigrationCheckpoint {
  readonly step: MigrationStep;
  /** The next page of the step, as the source names it; empty for the first. */
  readonly cursor: string;
  /** The highest id of the step's rows at that time. */
  readonly lastId: number;
  /** Rows of the step so far, for people. */
  readonly done: number;
}

/** Migrations of repositories from other servers. */
export interface RepositoryMigrationsTable {
  id: Generated<number>;
  /** The user who requested it: content without an author here is in their name. */
  actor_id: number;
  owner_id: number;
  /** Null before there is one, and after a failure. */
  repository_id: number | null;
  name: string;
  /** The software of the source. */
  service: string;
  /** Without credentials. */
  clone_url: string;
  /** The request, encrypted because of its credentials; null once it cannot be repeated. */
  options: string | null;
  state: MigrationState;
  checkpoint: Json<MigrationCheckpoint>;
  job_id: number | null;
  /** Why it failed; empty otherwise. */
  error: Generated<string>;
  /** The HTTP status of the error. */
  error_status: Generated<number>;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

export interface MigrationTables {
  repository_migrations: RepositoryMigrationsTable;
}

/** A migration of a repository as stored. */
export type MigrationRow = Selectable<RepositoryMigrationsTable>;
