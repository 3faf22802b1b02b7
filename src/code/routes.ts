import type { AnyRoute } from '../http/route.ts';
import { archiveRoutes } from './archives/routes.ts';
import { branchChangeRoutes } from './branches/change-routes.ts';
import { branchRoutes } from './branches/routes.ts';
import { commitRoutes } from './commits/routes.ts';
import { compareRoutes } from './compare/routes.ts';
import { contentChangeRoutes } from './contents/change-routes.ts';
import { contentRoutes } from './contents/routes.ts';
import { editorConfigRoutes } from './editorconfig/routes.ts';
import { gitDataRoutes } from './git-data/routes.ts';
import { gitHookRoutes } from './git-hooks/routes.ts';
import { branchProtectionRoutes } from './protections/branch-routes.ts';
import { tagProtectionRoutes } from './protections/tag-routes.ts';
import { rawRoutes } from './raw/routes.ts';
import { statusRoutes } from './statuses/routes.ts';
import { tagChangeRoutes } from './tags/change-routes.ts';
import { tagRoutes } from './tags/routes.ts';
import { upstreamRoutes } from './upstream/routes.ts';

/** Everything about the code in repositories. */
export const codeRoutes: readonly AnyRoute[] = [
  ...branchRoutes,
  ...branchChangeRoutes,
  ...tagRoutes,
  ...tagChangeRoutes,
  ...commitRoutes,
  ...gitDataRoutes,
  ...contentRoutes,
  ...contentChangeRoutes,
  ...compareRoutes,
  ...upstreamRoutes,
  ...editorConfigRoutes,
  ...rawRoutes,
  ...archiveRoutes,
  ...statusRoutes,
  ...branchProtectionRoutes,
  ...tagProtectionRoutes,
  ...gitHookRoutes,
];
