import type { AnyRoute } from '../../http/route.ts';
import { jobPages } from './job-page.ts';
import { runListPages } from './list-page.ts';
import { runPages } from './run-page.ts';

/** Runs of workflows, their jobs and logs. */
export const actionPages: readonly AnyRoute[] = [...runListPages, ...runPages, ...jobPages];
