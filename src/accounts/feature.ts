import { feature } from '../feature.ts';
import { administrationRoutes } from './administration/routes.ts';
import { avatarRoutes } from './avatars/routes.ts';
import { blockRoutes } from './blocks/routes.ts';
import { emailRoutes } from './emails/routes.ts';
import { followRoutes } from './follows/routes.ts';
import { gpgKeyRoutes } from './keys/gpg-routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { mailNewUser } from './mailed-links.ts';
import { oauth2EndpointRoutes } from './oauth2/endpoints.ts';
import { oauth2ApplicationRoutes } from './oauth2/routes.ts';
import { signIn } from './sign-in/sign-in.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userAddressRoutes } from './users/address-routes.ts';
import { userRoutes } from './users/routes.ts';

export const accounts = feature({
  name: 'accounts',
  routes: [
    ...userRoutes,
    ...tokenRoutes,
    ...oauth2ApplicationRoutes,
    ...oauth2EndpointRoutes,
    ...keyRoutes,
    ...gpgKeyRoutes,
    ...followRoutes,
    ...blockRoutes,
    ...emailRoutes,
    ...avatarRoutes,
    ...userAddressRoutes,
    ...administrationRoutes,
  ],
  on: { mail: { 'user.created': mailNewUser } },
  needs: ['jobOfToken', 'recordFailedSignIn'],
  provides: { signIn },
});
