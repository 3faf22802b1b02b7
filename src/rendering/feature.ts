import { feature } from '../feature.ts';
import { markupRoutes } from './routes.ts';

export const markup = feature({ name: 'markup', routes: markupRoutes });
