import { updateUser } from '../../accounts/users/settings.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { TimelineKind } from '../../database/tables/issues.ts';

/** Groups of timeline rows that users can hide; the names are those of Gitea's form. */
export const EVENT_GROUPS = {
  reference: ['issue_ref', 'commit_ref', 'comment_ref', 'pull_ref'],
  label: ['label'],
  milestone: ['milestone'],
  assignee: ['assignees'],
  title: ['change_title'],
  branch: ['delete_branch', 'change_target_branch'],
  time_tracking: ['start_tracking', 'stop_tracking', 'add_time_manual', 'cancel_tracking', 'delete_time_manual', 'change_time_estimate'],
  deadline: ['added_deadline', 'modified_deadline', 'removed_deadline'],
  dependency: ['add_dependency', 'remove_dependency'],
  lock: ['lock', 'unlock'],
  review_request: ['review_request'],
  pull_request_push: ['pull_push'],
  project: ['project', 'project_board'],
  issue_ref: ['change_issue_ref'],
} as const satisfies Readonly<Record<string, readonly TimelineKind[]>>;

export type EventGroupName = keyof typeof EVENT_GROUPS;

const NAMES = Object.keys(EVENT_GROUPS) as EventGroupName[];

/** The groups that a user hides. */
export function hiddenGroups({ hidden_events: hidden }: Pick<User, 'hidden_events'>): EventGroupName[] {
  const names = hidden.split(',');
  return NAMES.filter((name) => names.includes(name));
}

/** The kinds of rows that a reader hides. */
export function hiddenKinds(reader: User | null): TimelineKind[] {
  return reader ? hiddenGroups(reader).flatMap((name): readonly TimelineKind[] => EVENT_GROUPS[name]) : [];
}

/** Hides exactly these groups. */
export async function hideGroups(context: Context, user: User, isHidden: (name: EventGroupName) => boolean): Promise<void> {
  await updateUser(context, user, { hidden_events: storedGroups(isHidden) });
}

/** The groups in the form of the account's column. */
export function storedGroups(isHidden: (name: EventGroupName) => boolean): string {
  return NAMES.filter(isHidden).join(',');
}
