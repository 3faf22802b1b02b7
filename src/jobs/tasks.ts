import type { Settings } from '../settings.ts';

/** The schedule of a task that only runs manually. */
const BY_HAND = null;
const nightly = ({ jobs }: Settings) => jobs.nightly;

/**
 * The scheduled tasks and when they are due, as cron expressions or nicknames in the time zone of the server. Their names are an
 * interface: administrators' scripts use them. Features define what a task does (`schedules` in their feature.ts); some do nothing here,
 * because there is no state outside the database that could differ from it.
 */
export const TASKS = {
  update_mirrors: ({ jobs }: Settings) => jobs.mirrorUpdates,
  repo_health_check: nightly,
  check_repo_stats: nightly,
  archive_cleanup: nightly,
  sync_external_users: nightly,
  deleted_branches_cleanup: nightly,
  update_migration_poster_id: nightly,
  cleanup_hook_task_table: nightly,
  cleanup_packages: nightly,
  sync_repo_licenses: () => BY_HAND,
  delete_inactive_accounts: () => BY_HAND,
  delete_repo_archives: () => BY_HAND,
  git_gc_repos: ({ jobs }: Settings) => jobs.maintenance,
  resync_all_sshkeys: () => BY_HAND,
  resync_all_sshprincipals: () => BY_HAND,
  resync_all_hooks: () => BY_HAND,
  reinit_missing_repos: () => BY_HAND,
  delete_missing_repos: () => BY_HAND,
  delete_generated_repository_avatars: () => BY_HAND,
  delete_old_actions: () => BY_HAND,
  update_checker: () => BY_HAND,
  delete_old_system_notices: nightly,
  gc_lfs: () => BY_HAND,
  rebuild_issue_indexer: () => BY_HAND,
  stop_zombie_tasks: () => '@every 5m',
  stop_endless_tasks: () => '@every 30m',
  cancel_abandoned_jobs: () => '@every 6h',
  start_schedule_tasks: () => '@every 1m',
  cleanup_actions: nightly,
} as const satisfies Record<string, (settings: Settings) => string | null>;

export type TaskName = keyof typeof TASKS;

/** Whether there is a task of this name. */
export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(TASKS, name);
}

/** A task, with its last and next run. */
export interface ScheduledTask {
  name: TaskName;
  /** A cron expression or its nickname, `-` for a task that only runs manually. */
  schedule: string;
  /** Seconds; null for never. */
  next: number | null;
  prev: number | null;
  runs: number;
}
