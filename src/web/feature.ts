import { feature } from '../feature.ts';
import { accountPages } from './accounts/routes.ts';
import { assetRoutes } from './assets/routes.ts';
import { codePages } from './code/routes.ts';
import { frontPages } from './front.ts';
import { iconRoutes } from './icon.ts';
import { repositoryPages } from './repository/routes.ts';

export const web = feature({
  name: 'web',
  routes: [...frontPages, ...iconRoutes, ...assetRoutes, ...accountPages, ...repositoryPages, ...codePages],
});
