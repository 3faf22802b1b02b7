/** The events that start workflows, by their names in payloads, and their names in `on`, where those in payloads are names as well. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  push: ['push'],
  create: ['create'],
  delete: ['delete'],
  fork: ['fork'],
  wiki: ['gollum'],
  package: ['registry_package'],
  release: ['release'],
  issues: ['issues'],
  issue_assign: ['issues'],
  issue_label: ['issues'],
  issue_milestone: ['issues'],
  issue_comment: ['issue_comment'],
  pull_request_comment: ['issue_comment'],
  pull_request: ['pull_request', 'pull_request_target'],
  pull_request_sync: ['pull_request', 'pull_request_target'],
  pull_request_assign: ['pull_request', 'pull_request_target'],
  pull_request_label: ['pull_request', 'pull_request_target'],
  pull_request_milestone: ['pull_request', 'pull_request_target'],
  pull_request_review_request: ['pull_request', 'pull_request_target'],
  pull_request_review_approved: ['pull_request_review'],
  pull_request_review_rejected: ['pull_request_review'],
  pull_request_review_comment: ['pull_request_review', 'pull_request_review_comment'],
  workflow_run: ['workflow_run'],
};

const TRIGGERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(NAMES).map(([event, names]) => [event, [...new Set([...names, event])]]),
);

/** The names in `on` of an event of a payload; empty for those that start no workflow. */
export function triggerNames(event: string): readonly string[] {
  return TRIGGERS.get(event) ?? [];
}

const KNOWN = new Set([...TRIGGERS.values()].flat());

/** Whether a name in `on` is an event that also has webhooks. */
export function isTriggerName(name: string): boolean {
  return KNOWN.has(name);
}

/** Events whose workflows are always those of the default branch. */
const OF_DEFAULT_BRANCH = new Set([
  'delete',
  'fork',
  'wiki',
  'package',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request_comment',
  'workflow_run',
]);

/** Whether the workflows of the default branch run for an event, whatever its subject. */
export function isOfDefaultBranch(event: string): boolean {
  return OF_DEFAULT_BRANCH.has(event);
}

/** Whether the event is about a pull request: its own workflows run, and those of its target. */
export function isOfPull(event: string): boolean {
  return event.startsWith('pull_request') && event !== 'pull_request_comment';
}

/** Whether it is a review of a pull request. */
export function isReview(event: string): boolean {
  return event.startsWith('pull_request_review_') && event !== 'pull_request_review_request';
}

/** Events for which words in the commit message, or in the title, prevent a run. */
export function canBeSkipped(event: string): boolean {
  return event === 'push' || event === 'pull_request' || event === 'pull_request_sync';
}
