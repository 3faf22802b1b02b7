import type { ActionsPart } from '../part.ts';

/** Workflow files. */
export const workflows: ActionsPart = {};
