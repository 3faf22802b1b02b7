import type { AnyRoute } from '../../http/route.ts';
import { generalPages } from './general.ts';
import { invitationPages } from './invitation-page.ts';
import { organizationLabelPages } from './labels.ts';
import { memberPages } from './members.ts';
import { sharedPages } from './shared.ts';
import { teamContentPages } from './team-page.ts';
import { teamPages } from './teams.ts';
import { worktimePages } from './worktime.ts';

/** The members, the teams and the settings of organizations. */
export const organizationPages: readonly AnyRoute[] = [
  ...memberPages,
  ...invitationPages,
  ...teamPages,
  ...teamContentPages,
  ...generalPages,
  ...worktimePages,
  ...organizationLabelPages,
  ...sharedPages,
];
