import type { ActionsPart } from '../part.ts';
import { variableRoutes } from './routes.ts';

/** Variables of jobs. */
export const variables: ActionsPart = { routes: variableRoutes };
