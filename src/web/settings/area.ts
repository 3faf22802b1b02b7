import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Html } from '../html.ts';
import { type SettingsArea, sectionOf } from '../manage/section.ts';
import { pageLoading, type Visit } from '../page.ts';
import { SETTINGS_PATHS, type SettingsPage, settingsDocument } from './frame.ts';

/** The request of a page of the caller's own settings. */
export type OwnVisit = Visit & { readonly user: User };

const area: SettingsArea<OwnVisit, SettingsPage> = {
  page: pageLoading(async (_, context) => ({ user: signedInActor(context) })),
  root: '',
  paths: SETTINGS_PATHS,
  address: () => '',
  needs: [signedIn],
  document: async (visit, context: Context, { page, body, status }: { page: SettingsPage; body: Html; status: number }) =>
    settingsDocument(visit.view, context, { current: page, body, status }),
  level: 2,
};

/** A page of the settings of an account. */
export const accountSection = (page: SettingsPage) => sectionOf(area, page);
