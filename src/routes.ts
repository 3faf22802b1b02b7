import { administrationRoutes } from './accounts/administration/routes.ts';
import { avatarRoutes } from './accounts/avatars/routes.ts';
import { blockRoutes } from './accounts/blocks/routes.ts';
import { emailRoutes } from './accounts/emails/routes.ts';
import { followRoutes } from './accounts/follows/routes.ts';
import { gpgKeyRoutes } from './accounts/keys/gpg-routes.ts';
import { keyRoutes } from './accounts/keys/routes.ts';
import { oauth2EndpointRoutes } from './accounts/oauth2/endpoints.ts';
import { oauth2ApplicationRoutes } from './accounts/oauth2/routes.ts';
import { accountPages } from './accounts/pages/routes.ts';
import { tokenRoutes } from './accounts/tokens/routes.ts';
import { userAddressRoutes } from './accounts/users/address-routes.ts';
import { userRoutes } from './accounts/users/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { cronRoutes } from './admin/cron/routes.ts';
import { unadoptedRoutes } from './admin/unadopted/routes.ts';
import { codeRoutes } from './code/routes.ts';
import { federationRoutes } from './federation/routes.ts';
import type { AnyRoute } from './http/route.ts';
import { descriptionRoutes } from './instance/description/routes.ts';
import { instanceRoutes } from './instance/routes.ts';
import { organizationLabelRoutes, repositoryLabelRoutes } from './issues/labels/routes.ts';
import { issueRoutes } from './issues/routes.ts';
import { markupRoutes } from './markup/api/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { organizationBlockRoutes } from './organizations/blocks/routes.ts';
import { memberRoutes } from './organizations/members/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { teamMemberRoutes } from './organizations/teams/member-routes.ts';
import { teamRoutes } from './organizations/teams/routes.ts';
import { userOrganizationRoutes } from './organizations/user-routes.ts';
import { pullRoutes } from './pulls/routes.ts';
import { releaseRoutes } from './releases/routes.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { teamRepositoryRoutes } from './repositories/team-repositories/routes.ts';
import { transportRoutes } from './transport/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { wikiRoutes } from './wiki/routes.ts';

/** Every route of the server, feature by feature. */
export const allRoutes: readonly AnyRoute[] = [
  ...instanceRoutes,
  ...markupRoutes,
  ...descriptionRoutes(() => allRoutes),
  ...userRoutes,
  ...tokenRoutes,
  ...oauth2ApplicationRoutes,
  ...oauth2EndpointRoutes,
  ...accountPages,
  ...cronRoutes,
  ...unadoptedRoutes,
  ...federationRoutes,
  ...keyRoutes,
  ...gpgKeyRoutes,
  ...followRoutes,
  ...blockRoutes,
  ...emailRoutes,
  ...avatarRoutes,
  ...userAddressRoutes,
  ...administrationRoutes,
  ...organizationRoutes,
  ...userOrganizationRoutes,
  ...memberRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...organizationBlockRoutes,
  ...repositoryRoutes,
  ...teamRepositoryRoutes,
  ...repositoryLabelRoutes,
  ...organizationLabelRoutes,
  ...issueRoutes,
  ...notificationRoutes,
  ...activityRoutes,
  ...webhookRoutes,
  ...transportRoutes,
  ...codeRoutes,
  ...pullRoutes,
  ...releaseRoutes,
  ...wikiRoutes,
];
