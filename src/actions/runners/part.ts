import type { ActionsPart } from '../part.ts';
import { runnerRoutes } from './routes.ts';

/** Programs that run jobs. */
export const runners: ActionsPart = { routes: runnerRoutes };
