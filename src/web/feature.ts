import { feature } from '../feature.ts';
import { accountPages } from './accounts/routes.ts';
import { actionPages } from './actions/routes.ts';
import { activityPages } from './activity/routes.ts';
import { adminPages } from './admin/routes.ts';
import { aliasPages } from './aliases.ts';
import { assetRoutes } from './assets/routes.ts';
import { codePages } from './code/routes.ts';
import { createPages } from './create/routes.ts';
import { explorePages } from './explore/routes.ts';
import { frontPages } from './front.ts';
import { notificationPages } from './home/notifications.ts';
import { iconRoutes } from './icon.ts';
import { issuePages } from './issues/routes.ts';
import { liveChanges } from './live/changes.ts';
import { livePages } from './live/live-pages.ts';
import { migrationPages } from './migrate/routes.ts';
import { openSearchRoutes } from './open-search.ts';
import { organizationPages } from './organization/routes.ts';
import { packagePages } from './packages/routes.ts';
import { palettePages } from './palette/palette-page.ts';
import { shortcutPages } from './palette/shortcuts-page.ts';
import { peoplePages } from './people/routes.ts';
import { projectPages } from './projects/routes.ts';
import { pullPages } from './pulls/routes.ts';
import { repositoryPages } from './repository/routes.ts';
import { robotsRoutes } from './robots.ts';
import { searchPages } from './search/routes.ts';
import { settingsPages } from './settings/routes.ts';
import { sitemapRoutes } from './sitemap.ts';
import { wikiPages } from './wiki/routes.ts';

export const web = feature({
  name: 'web',
  within: liveChanges,
  routes: [
    ...frontPages,
    ...iconRoutes,
    ...openSearchRoutes,
    ...robotsRoutes,
    ...sitemapRoutes,
    ...assetRoutes,
    ...accountPages,
    ...repositoryPages,
    ...codePages,
    ...activityPages,
    ...issuePages,
    ...wikiPages,
    ...packagePages,
    ...pullPages,
    ...projectPages,
    ...actionPages,
    ...explorePages,
    ...searchPages,
    ...createPages,
    ...migrationPages,
    ...organizationPages,
    ...peoplePages,
    ...livePages,
    ...notificationPages,
    ...palettePages,
    ...shortcutPages,
    ...settingsPages,
    ...adminPages,
    ...aliasPages,
  ],
});
