import { type Feature, feature } from '../../feature.ts';
import type { AnyRoute } from '../../http/route.ts';
import { descriptionRoutes } from './routes.ts';

/** @param routes the described routes of all features */
export function description(routes: () => readonly AnyRoute[]): Feature {
  return feature({ name: 'description', routes: descriptionRoutes(routes) });
}
