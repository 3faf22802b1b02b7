import { feature } from '../feature.ts';

/** Lets requests in; how somebody signs in is a matter of accounts. */
export const access = feature({ name: 'access', needs: ['signIn'] });
