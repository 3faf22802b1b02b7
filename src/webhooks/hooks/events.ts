/** The events of hooks, by the names under which they are listed. */
export const HOOK_EVENTS = [
  'create',
  'delete',
  'fork',
  'push',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_sync',
  'pull_request_review_request',
  'wiki',
  'repository',
  'release',
  'package',
  'status',
  'workflow_run',
  'workflow_job',
] as const;

/** One of {@link HOOK_EVENTS}. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** `issues` and `pull_request` include all of their kinds; these words mean only the kind of that name. */
const ALONE: Partial<Record<HookEvent, string>> = { issues: 'issues_only', pull_request: 'pull_request_only' };

/** The words of a request that mean only these events. */
export function requestWords(events: readonly HookEvent[]): string[] {
  return events.map((event) => ALONE[event] ?? event);
}

/** The events of these words of a request, in the order of {@link HOOK_EVENTS}; unknown words are ignored. */
export function chosenEvents(requested: readonly string[] = []): HookEvent[] {
  const words = new Set(requested.length === 0 ? ['push'] : requested.map((word) => word.toLowerCase()));
  return HOOK_EVENTS.filter((event) => words.has(ALONE[event] ?? event) || groupsOf(event).some((group) => words.has(group)));
}

function groupsOf(event: HookEvent): string[] {
  if (event.startsWith('issue')) return ['issues'];
  return event.startsWith('pull_request') ? ['pull_request'] : [];
}
