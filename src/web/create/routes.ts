import type { AnyRoute } from '../../http/route.ts';
import { organizationCreationPages } from './organization.ts';
import { repositoryCreationPages } from './repository.ts';

/** Forms that create something. */
export const createPages: readonly AnyRoute[] = [...repositoryCreationPages, ...organizationCreationPages];
