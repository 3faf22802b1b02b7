import type { AnyRoute } from '../../../http/route.ts';
import { collaborationPages } from './collaboration.ts';
import { generalSettingsPages } from './general.ts';

/** The settings of a repository. */
export const repositorySettingsPages: readonly AnyRoute[] = [...generalSettingsPages, ...collaborationPages];
