import type { ActionsPart } from '../part.ts';
import { cancelAbandonedJobs } from './abandoned.ts';
import { advanceRun } from './advance.ts';

/** The states of jobs and runs. */
export const jobs: ActionsPart = {
  jobs: { 'actions.advance': { run: advanceRun, queue: 'actions' } },
  schedules: { cancel_abandoned_jobs: cancelAbandonedJobs },
};
