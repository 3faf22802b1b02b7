import type { AnyRoute } from '../../http/route.ts';
import { sharedPages } from './area.ts';
import { badgePages } from './badges.ts';
import { configurationPages } from './configuration.ts';
import { emailPages } from './emails.ts';
import { listPages } from './lists.ts';
import { monitorPages } from './monitor.ts';
import { noticePages } from './notices.ts';
import { overviewPages } from './overview.ts';
import { packageListPages } from './packages.ts';
import { signInWayPages } from './sign-in-ways.ts';
import { unadoptedPages } from './unadopted.ts';
import { userPages } from './users.ts';

/** The administration of the instance. */
export const adminPages: readonly AnyRoute[] = [
  ...overviewPages,
  ...userPages,
  ...listPages,
  ...monitorPages,
  ...noticePages,
  ...emailPages,
  ...badgePages,
  ...packageListPages,
  ...signInWayPages,
  ...unadoptedPages,
  ...configurationPages,
  ...sharedPages,
];
