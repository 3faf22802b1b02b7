import { feature } from '../feature.ts';
import { deliver } from './inbox.ts';
import { federationRoutes } from './routes.ts';

export const federation = feature({
  name: 'federation',
  routes: federationRoutes,
  jobs: { 'federation.deliver': { run: deliver, queue: 'federation' } },
});
