import type { ActionsPart } from '../part.ts';
import { workflowRoutes } from './routes.ts';

/** Workflow files. */
export const workflows: ActionsPart = { routes: workflowRoutes };
