import type { AnyRoute } from '../../http/route.ts';
import { accountSettingsPages } from './account.ts';
import { appearancePages } from './appearance.ts';
import { applicationPages } from './applications.ts';
import { keyPages } from './keys.ts';
import { profileSettingsPages } from './profile.ts';

/** The settings of an account. */
export const settingsPages: readonly AnyRoute[] = [
  ...profileSettingsPages,
  ...accountSettingsPages,
  ...appearancePages,
  ...keyPages,
  ...applicationPages,
];
