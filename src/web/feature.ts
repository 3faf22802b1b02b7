import { feature } from '../feature.ts';
import { accountPages } from './accounts/routes.ts';

export const web = feature({ name: 'web', routes: accountPages });
