import type { ActionsPart } from '../part.ts';
import { secretRoutes } from './routes.ts';

/** Secrets of jobs. */
export const secrets: ActionsPart = { routes: secretRoutes };
