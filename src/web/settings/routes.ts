import type { AnyRoute } from '../../http/route.ts';
import { accountSettingsPages } from './account.ts';
import { appearancePages } from './appearance.ts';
import { applicationPages } from './applications.ts';
import { keyPages } from './keys.ts';
import { notificationSettingsPages } from './notifications.ts';
import { ownOrganizationPages } from './organizations.ts';
import { profileSettingsPages } from './profile.ts';
import { ownRepositoryPages } from './repositories.ts';
import { sharedPages } from './shared.ts';

/** The settings of an account. */
export const settingsPages: readonly AnyRoute[] = [
  ...profileSettingsPages,
  ...accountSettingsPages,
  ...appearancePages,
  ...notificationSettingsPages,
  ...keyPages,
  ...applicationPages,
  ...ownOrganizationPages,
  ...ownRepositoryPages,
  ...sharedPages,
];
