import { feature } from '../feature.ts';
import { transportRoutes } from './routes.ts';

export const transport = feature({
  name: 'transport',
  routes: transportRoutes,
  needs: ['refuseForRefs', 'takeForRefs', 'findOpenPull'],
});
