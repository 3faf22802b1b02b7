import type { ActionsPart } from '../part.ts';
import { secretRoutes } from './routes.ts';

/** What jobs get without anybody else seeing it. */
export const secrets: ActionsPart = { routes: secretRoutes };
