import type { Generated, Selectable } from 'kysely';

/** Workflows of the default branch that run on a schedule. */
export interface ActionSchedulesTable {
  id: Generated<number>;
  repository_id: number;
  owner_id: number;
  title: string;
  workflow_id: string;
  trigger_user_id: number;
  ref: string;
  commit_sha: string;
  event: string;
  event_payload: string;
  /** The workflow file. */
  content: string;
  created_at: number;
}

/** The times of a schedule. */
export interface ActionScheduleSpecsTable {
  id: Generated<number>;
  schedule_id: number;
  repository_id: number;
  /** A cron expression, in UTC unless it names a time zone. */
  spec: string;
  /** Null for never. */
  next_at: number | null;
  previous_at: Generated<number | null>;
}

export interface ActionScheduleTables {
  action_schedules: ActionSchedulesTable;
  action_schedule_specs: ActionScheduleSpecsTable;
}

export type ActionSchedule = Selectable<ActionSchedulesTable>;
