import type { EventLog } from './events/event-log.ts';
import type { JobQueue } from './jobs/job-queue.ts';

/**
 * Who is told of which event, and who does which job: the one place where features that others must not import
 * are wired to them.
 */
export function subscribe(_events: EventLog, _jobs: JobQueue): void {}
