import { feature } from '../feature.ts';

/** Admits requests; how a user signs in is defined by accounts. */
export const access = feature({ name: 'access', needs: ['signIn'] });
