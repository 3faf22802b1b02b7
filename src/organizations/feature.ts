import { feature } from '../feature.ts';
import { organizationBlockRoutes } from './blocks/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { leaveOrganizations } from './purge.ts';
import { organizationRoutes } from './routes.ts';
import { teamMemberRoutes } from './teams/member-routes.ts';
import { teamRoutes } from './teams/routes.ts';
import { userOrganizationRoutes } from './user-routes.ts';

export const organizations = feature({
  name: 'organizations',
  routes: [
    ...organizationRoutes,
    ...userOrganizationRoutes,
    ...memberRoutes,
    ...teamRoutes,
    ...teamMemberRoutes,
    ...organizationBlockRoutes,
  ],
  within: { 'user.purging': leaveOrganizations },
});
