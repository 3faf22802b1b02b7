import { feature } from '../feature.ts';
import { instanceRoutes } from './routes.ts';

export const instance = feature({ name: 'instance', routes: instanceRoutes });
