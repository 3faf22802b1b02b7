import type { ActionsPart } from '../part.ts';
import { variableRoutes } from './routes.ts';

/** What jobs get, for everybody to see. */
export const variables: ActionsPart = { routes: variableRoutes };
