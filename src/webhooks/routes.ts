import type { AnyRoute } from '../http/route.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { hookRoutes } from './hooks/routes.ts';

/** Webhooks. */
export const webhookRoutes: readonly AnyRoute[] = [...hookRoutes, ...deliveryRoutes];
