import { feature } from '../feature.ts';
import { wikiRoutes } from './routes.ts';

export const wiki = feature({ name: 'wiki', routes: wikiRoutes });
