import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';

/** The pages of the settings of an account, in the order of their menu. */
export type SettingsPage = 'profile' | 'account' | 'appearance' | 'emails' | 'security' | 'keys' | 'applications' | 'packages';

const PATHS: Readonly<Record<SettingsPage, string>> = {
  profile: 'user/settings',
  account: 'user/settings/account',
  appearance: 'user/settings/appearance',
  emails: 'user/settings/emails',
  security: 'user/settings/security',
  keys: 'user/settings/keys',
  applications: 'user/settings/applications',
  packages: 'user/settings/packages',
};

/** A page of settings, beside the menu of all of them. */
export function settingsDocument(
  view: View,
  { settings }: Pick<Context, 'settings'>,
  { current, body, status }: { current: SettingsPage; body: Html; status?: number },
): Document {
  const { text } = view;
  const title = text.settings.pages[current];
  const shown = (Object.keys(PATHS) as SettingsPage[]).filter((page) => page !== 'packages' || settings.packages.enabled);
  return {
    title,
    layout: 'page',
    ...(status !== undefined && { status }),
    body: html`<div class="with-menu"><nav class="side-menu" aria-label="${text.common.settings}">${shown.map(
      (page) =>
        html`<a href="${path(view, PATHS[page])}"${page === current && html` aria-current="page"`}>${text.settings.pages[page]}</a>`,
    )}</nav><div class="settings"><h1>${title}</h1>${body}</div></div>`,
  };
}
