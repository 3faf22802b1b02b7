import type { Context } from '../../context.ts';
import type { Settings } from '../../settings.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';

/** The pages of the settings of an account, in the order of their menu. */
export type SettingsPage = keyof typeof SETTINGS_PATHS;

/** Their paths, without the leading slash. */
export const SETTINGS_PATHS = {
  profile: 'user/settings',
  account: 'user/settings/account',
  appearance: 'user/settings/appearance',
  notifications: 'user/settings/notifications',
  emails: 'user/settings/emails',
  security: 'user/settings/security',
  keys: 'user/settings/keys',
  applications: 'user/settings/applications',
  hooks: 'user/settings/hooks',
  automation: 'user/settings/actions/general',
  runners: 'user/settings/actions/runners',
  secrets: 'user/settings/actions/secrets',
  variables: 'user/settings/actions/variables',
  packages: 'user/settings/packages',
  organization: 'user/settings/organization',
  repos: 'user/settings/repos',
  blocked: 'user/settings/blocked_users',
} as const;

/** The pages of settings that there are on this instance. */
export function settingsPagesOf({ packages, webhooks }: Settings): SettingsPage[] {
  return (Object.keys(SETTINGS_PATHS) as SettingsPage[]).filter(
    (page) => (page !== 'packages' || packages.enabled) && (page !== 'hooks' || webhooks.enabled),
  );
}

/** A page of settings, beside the menu of all of them. */
export function settingsDocument(
  view: View,
  { settings }: Pick<Context, 'settings'>,
  { current, body, status }: { current: SettingsPage; body: Html; status?: number },
): Document {
  const { text } = view;
  const title = text.settings.pages[current];
  const shown = settingsPagesOf(settings);
  return {
    title,
    layout: 'page',
    ...(status !== undefined && { status }),
    body: html`<div class="with-menu"><nav class="side-menu" aria-label="${text.common.settings}">${shown.map(
      (page) =>
        html`<a href="${path(view, SETTINGS_PATHS[page])}"${page === current && html` aria-current="page"`}>${text.settings.pages[page]}</a>`,
    )}</nav><div class="settings"><h1>${title}</h1>${body}</div></div>`,
  };
}
