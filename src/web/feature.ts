import { feature } from '../feature.ts';
import { accountPages } from './accounts/routes.ts';
import { frontPages } from './front.ts';
import { iconRoutes } from './icon.ts';

export const web = feature({ name: 'web', routes: [...frontPages, ...iconRoutes, ...accountPages] });
