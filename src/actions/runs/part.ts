import type { ActionsPart } from '../part.ts';

/** Runs of workflows, and their jobs. */
export const runs: ActionsPart = {};
