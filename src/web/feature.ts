import { feature } from '../feature.ts';
import { accountPages } from './accounts/routes.ts';
import { actionPages } from './actions/routes.ts';
import { adminPages } from './admin/routes.ts';
import { assetRoutes } from './assets/routes.ts';
import { codePages } from './code/routes.ts';
import { createPages } from './create/routes.ts';
import { explorePages } from './explore/routes.ts';
import { frontPages } from './front.ts';
import { notificationPages } from './home/notifications.ts';
import { iconRoutes } from './icon.ts';
import { issuePages } from './issues/routes.ts';
import { packagePages } from './packages/routes.ts';
import { peoplePages } from './people/routes.ts';
import { pullPages } from './pulls/routes.ts';
import { repositoryPages } from './repository/routes.ts';
import { settingsPages } from './settings/routes.ts';
import { wikiPages } from './wiki/routes.ts';

export const web = feature({
  name: 'web',
  routes: [
    ...frontPages,
    ...iconRoutes,
    ...assetRoutes,
    ...accountPages,
    ...repositoryPages,
    ...codePages,
    ...issuePages,
    ...wikiPages,
    ...packagePages,
    ...pullPages,
    ...actionPages,
    ...explorePages,
    ...peoplePages,
    ...notificationPages,
    ...createPages,
    ...settingsPages,
    ...adminPages,
  ],
});
