import type { ActionsPart } from '../part.ts';
import { advanceRun } from './advance.ts';

/** The states of jobs and runs. */
export const jobs: ActionsPart = {
  jobs: { 'actions.advance': { run: advanceRun, queue: 'actions' } },
};
