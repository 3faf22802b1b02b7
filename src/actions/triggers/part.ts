import type { ActionsPart } from '../part.ts';
import { startDue } from '../schedules/start-due.ts';
import { enqueueRefs } from './enqueue.ts';
import { handleTriggers } from './handle.ts';

/** What starts workflows. Events other than of refs come with their payloads, from the webhooks. */
export const triggers: ActionsPart = {
  within: { 'refs.changed': enqueueRefs },
  jobs: { 'actions.trigger': { run: handleTriggers, queue: 'actions' } },
  schedules: { start_schedule_tasks: startDue },
  needs: ['payloadsOfRef', 'completePayload'],
};
