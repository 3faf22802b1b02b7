import { globMatcher, InvalidPatternError } from '../../text/pattern.ts';
import type { Trigger } from '../workflows/file/triggers.ts';
import { isOfPull, isReview, triggerNames } from './events.ts';
import { isIgnored, isIncluded } from './patterns.ts';

/** The parts of a payload that filters read. */
export interface EventPayload {
  readonly action?: string;
  readonly ref?: string;
  readonly before?: string;
  readonly pull_request?: {
    readonly base: { readonly ref: string };
    readonly head: { readonly sha: string };
    readonly merge_base?: string;
  } | null;
  readonly changes?: { readonly added_labels?: readonly unknown[] | null; readonly removed_labels?: readonly unknown[] | null };
  readonly workflow?: { readonly name: string } | null;
  readonly workflow_run?: { readonly id: number; readonly event: string; readonly head_branch?: string } | null;
}

/** An event for the filters of workflows. */
export interface MatchedEvent {
  readonly event: string;
  readonly payload: EventPayload;
  /** The files that the push, or the pull request, changes; undefined when unknown, or not needed. */
  readonly changedPaths: readonly string[] | undefined;
}

/** Whether a trigger is for events of this name, whatever its filters are. */
export function isFor({ name }: Trigger, event: string): boolean {
  return triggerNames(event).includes(name);
}

/** Whether a trigger needs the changed files. */
export function asksForPaths({ filters }: Trigger): boolean {
  return Object.hasOwn(filters, 'paths') || Object.hasOwn(filters, 'paths-ignore');
}

/** Whether a workflow with this trigger starts. All of its filters have to match. */
export function matches(trigger: Trigger, event: MatchedEvent): boolean {
  if (!isFor(trigger, event.event)) return false;
  if (event.event === 'push') return matchesPush(trigger, event);
  if (isOfPull(event.event) && !isReview(event.event)) return matchesPull(trigger, event);
  // These have no filters.
  if (['create', 'delete', 'fork', 'wiki'].includes(event.event)) return true;
  return Object.entries(trigger.filters).every(([name, values]) => {
    if (name === 'types') return matchesType(values, actionsOf(event));
    return trigger.name === 'workflow_run' && matchesRun(name, values, event.payload);
  });
}

function matchesPush({ filters }: Trigger, { payload, changedPaths }: MatchedEvent): boolean {
  const ref = payload.ref ?? '';
  const [branch, tag] = [nameIn(ref, 'refs/heads/'), nameIn(ref, 'refs/tags/')];
  const kinds = { branches: branch, 'branches-ignore': branch, tags: tag, 'tags-ignore': tag } as const;
  const known = { branches: false, tags: false };
  let fulfilled = 0;
  for (const [name, values] of Object.entries(filters)) {
    if (Object.hasOwn(kinds, name)) {
      known[name.startsWith('branches') ? 'branches' : 'tags'] = true;
      const text = kinds[name as keyof typeof kinds];
      if (text !== undefined && passes(name, values, [text])) fulfilled++;
    } else if (name === 'paths' || name === 'paths-ignore') {
      if (tag !== undefined || passesPaths(name, values, changedPaths)) fulfilled++;
    }
  }
  // One of the filters for branches and for tags has to match.
  if (known.branches && known.tags) fulfilled++;
  return fulfilled === Object.keys(filters).length;
}

/** The default types for pull requests. */
const PULL_ACTIONS = ['opened', 'reopened', 'synchronized'];

function matchesPull({ filters }: Trigger, event: MatchedEvent): boolean {
  const { payload, changedPaths } = event;
  if (!filters.types && !PULL_ACTIONS.includes(payload.action ?? '')) return false;
  for (const [name, values] of Object.entries(filters)) {
    if (name === 'types') {
      if (!matchesType(values, actionsOf(event))) return false;
    } else if (name === 'branches' || name === 'branches-ignore') {
      if (!passes(name, values, [payload.pull_request?.base.ref ?? ''])) return false;
    } else if (name === 'paths' || name === 'paths-ignore') {
      if (!passesPaths(name, values, changedPaths)) return false;
    } else return false;
  }
  return true;
}

function matchesRun(name: string, values: readonly string[], { workflow, workflow_run: run }: EventPayload): boolean {
  if (name === 'workflows') return isIncluded(values, [workflow?.name ?? '']) ?? false;
  return (name === 'branches' || name === 'branches-ignore') && passes(name, values, [run?.head_branch ?? '']);
}

/** The activity types of an event, for `types`. */
function actionsOf({ event, payload: { action = '', changes } }: MatchedEvent): string[] {
  const isPull = event.startsWith('pull_request') && event !== 'pull_request_comment';
  if (action === 'label_updated') {
    if (isPull) return ['labeled'];
    return [...(changes?.added_labels?.length ? ['labeled'] : []), ...(changes?.removed_labels?.length ? ['unlabeled'] : [])];
  }
  if (action === 'label_cleared') return ['unlabeled'];
  if (action === 'synchronized') return ['synchronize'];
  if (action === 'reviewed') return event === 'pull_request_review_comment' ? ['submitted', 'created', 'edited'] : ['submitted', 'edited'];
  if (event === 'release' && action === 'updated') return ['edited'];
  if (event === 'package' && action === 'created') return ['published'];
  return [action];
}

function matchesType(values: readonly string[], actions: readonly string[]): boolean {
  return values.some((value) => {
    try {
      return actions.some(globMatcher(value, '/'));
    } catch (error) {
      if (error instanceof InvalidPatternError) return false;
      throw error;
    }
  });
}

function passes(name: string, patterns: readonly string[], texts: readonly string[]): boolean {
  return name.endsWith('-ignore') ? isIgnored(patterns, texts) === false : isIncluded(patterns, texts) === true;
}

function passesPaths(name: string, patterns: readonly string[], paths: MatchedEvent['changedPaths']): boolean {
  return paths !== undefined && passes(name, patterns, paths);
}

function nameIn(ref: string, folder: string): string | undefined {
  return ref.startsWith(folder) ? ref.slice(folder.length) : undefined;
}
