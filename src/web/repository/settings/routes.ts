import type { AnyRoute } from '../../../http/route.ts';
import { repositoryAutomationPages } from './automation.ts';
import { branchProtectionPages } from './branches.ts';
import { collaborationPages } from './collaboration.ts';
import { generalSettingsPages } from './general.ts';
import { gitHookPages } from './git-hooks.ts';
import { repositoryHookPages } from './hooks.ts';
import { deployKeyPages } from './keys.ts';
import { lfsPages } from './lfs.ts';
import { mirrorPages } from './mirrors.ts';
import { publicAccessPages } from './public-access.ts';
import { tagProtectionPages } from './tags.ts';

/** The settings of a repository. */
export const repositorySettingsPages: readonly AnyRoute[] = [
  ...generalSettingsPages,
  ...collaborationPages,
  ...publicAccessPages,
  ...branchProtectionPages,
  ...repositoryHookPages,
  ...gitHookPages,
  ...deployKeyPages,
  ...tagProtectionPages,
  ...mirrorPages,
  ...lfsPages,
  ...repositoryAutomationPages,
];
