import type { AnyRoute } from '../../../http/route.ts';
import { branchProtectionPages } from './branches.ts';
import { collaborationPages } from './collaboration.ts';
import { generalSettingsPages } from './general.ts';
import { hookPages } from './hooks.ts';
import { deployKeyPages } from './keys.ts';
import { valuePages } from './values.ts';

/** The settings of a repository. */
export const repositorySettingsPages: readonly AnyRoute[] = [
  ...generalSettingsPages,
  ...collaborationPages,
  ...branchProtectionPages,
  ...hookPages,
  ...deployKeyPages,
  ...valuePages,
];
