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
import { userFileRoutes } from './users/file-routes.ts';
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
    ...userFileRoutes,
    ...administrationRoutes,
  ],
  on: { mail: { 'user.created': mailNewUser } },
  needs: ['jobOfToken', 'recordFailedSignIn'],
  provides: { signIn },
});
