import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { charactersOf, takesFewSteps } from '../../workers/few-steps.ts';
import type { Trigger } from '../workflows/file/triggers.ts';
import type { EventPayload, MatchedEvent } from './match.ts';
import type * as task from './match-task.ts';
import { run } from './match-task.ts';

const TASK = new URL('./match-task.ts', import.meta.url);
/** Milliseconds for all triggers of a commit. */
const DEADLINE_MS = 5000;

/**
 * The triggers that an event starts. Filters and paths come from strangers: what may take long is matched in a worker, and if it
 * takes too long nothing starts.
 */
export async function matchingTriggers(
  { workers, log }: Pick<Context, 'workers' | 'log'>,
  triggers: readonly Trigger[],
  { event, payload, changedPaths }: MatchedEvent,
): Promise<boolean[]> {
  const matched: MatchedEvent = { event, payload: filteredParts(payload), changedPaths };
  const patterns = charactersOf(triggers.flatMap(({ filters }) => Object.values(filters).flat()));
  const texts = JSON.stringify(matched.payload).length + charactersOf(changedPaths ?? []);
  if (takesFewSteps(patterns, texts)) return run({ triggers, event: matched });
  try {
    return await workers.run<typeof task>(TASK, { triggers, event: matched }, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (!(error instanceof WorkerLimitError)) throw error;
    log.info({ event, error }, 'the filters of workflows take too long to match');
    return triggers.map(() => false);
  }
}

/** The parts that filters read: payloads have many others. */
function filteredParts({ action, ref, pull_request: pull, changes, workflow, workflow_run: run }: EventPayload): EventPayload {
  return {
    ...(action !== undefined && { action }),
    ...(ref !== undefined && { ref }),
    ...(pull && { pull_request: { base: { ref: pull.base.ref }, head: { sha: pull.head.sha } } }),
    ...(changes && { changes: { added_labels: some(changes.added_labels), removed_labels: some(changes.removed_labels) } }),
    ...(workflow && { workflow: { name: workflow.name } }),
    ...(run && { workflow_run: { id: run.id, event: run.event, ...(run.head_branch !== undefined && { head_branch: run.head_branch }) } }),
  };
}

/** Only whether there are labels counts. */
function some(labels: readonly unknown[] | null | undefined): readonly unknown[] {
  return labels?.length ? [true] : [];
}
