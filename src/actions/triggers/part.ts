import type { Context } from '../../context.ts';
import type { ActionsPart } from '../part.ts';
import { cancelScheduled } from '../schedules/on-archived.ts';
import { startDue } from '../schedules/start-due.ts';
import { enqueueRefs } from './enqueue.ts';
import { handleTriggers, resumeTriggers } from './handle.ts';

/** Starts due schedules, and events that were left behind. */
async function startDueAndLeft(context: Context, signal: AbortSignal): Promise<void> {
  await resumeTriggers(context);
  await startDue(context, signal);
}

/** Starting workflows. Events other than of refs come with their payloads, from the webhooks. */
export const triggers: ActionsPart = {
  within: { 'refs.changed': enqueueRefs, 'repository.archived': cancelScheduled },
  jobs: { 'actions.trigger': { run: handleTriggers, queue: 'actions' } },
  schedules: { start_schedule_tasks: startDueAndLeft },
  needs: ['payloadsOfRef', 'completePayload'],
};
