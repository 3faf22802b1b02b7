import { routeLoading } from '../http/route.ts';
import { loadOrganization, loadRepository, loadTeam, loadUser, loadVisibleUser } from './load.ts';

/** A route with `:owner/:repo` in its path: its handler gets `repository` and `access`. */
export const repositoryRoute = routeLoading(loadRepository, [301, 307]);
/** A route with `:org` in its path: its handler gets `organization`. */
export const organizationRoute = routeLoading(loadOrganization, [307]);
/** A route with the `:id` of a team in its path: its handler gets `team` and `organization`. */
export const teamRoute = routeLoading(loadTeam);
/** A route with `:username` in its path: its handler gets `user`. */
export const userRoute = routeLoading(loadUser, [307]);
/** {@link userRoute} for users that the caller may see. */
export const visibleUserRoute = routeLoading(loadVisibleUser, [307]);
